byte x, y;
active proctype P() { y = x++; }
