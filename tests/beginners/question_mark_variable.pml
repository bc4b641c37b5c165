byte x, y;
active proctype P() { y = x ? 2 : 3; }
