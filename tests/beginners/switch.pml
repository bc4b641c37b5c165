byte x, y;
active proctype P() { switch (x) { case 1: y = 1; break; } }
