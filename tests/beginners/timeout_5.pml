byte x;
active proctype P() { timeout(5); x = 1 }
