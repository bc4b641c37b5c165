byte x, y;
active proctype P() { y = x > 1 ? 2 : 3; }
