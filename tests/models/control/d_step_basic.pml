// what: a d_step is one step
byte n;
active proctype P() { d_step { n = 1; n = 2; n = 3; n = 0 }; n = 4 }
active proctype Q() { assert(n == 0 || n == 4) }
