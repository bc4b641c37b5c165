// what: a failing assertion inside a d_step, which goes on behind it
byte n;
active proctype P() { d_step { n = 1; assert(n == 0); n = 2 }; n = 3 }
