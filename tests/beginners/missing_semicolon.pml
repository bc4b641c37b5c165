byte x, y;
active proctype P() { x = 1 y = 2 }
