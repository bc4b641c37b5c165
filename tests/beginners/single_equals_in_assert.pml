byte x;
active proctype P() { x = 1; assert(x = 1) }
