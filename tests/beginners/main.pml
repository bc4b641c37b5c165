byte x;
main { x = 1 }
