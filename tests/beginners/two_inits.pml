byte x;
init { x = 1 }
init { x = 2 }
