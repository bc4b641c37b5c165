byte x = 300;
active proctype P() { assert(x == 300) }
