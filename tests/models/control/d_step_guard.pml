// what: a d_step may wait at its first statement
byte n;
active proctype P() { d_step { n == 2 -> n = 3; n = 4 }; assert(n == 4) }
active proctype Q() { n = 1; n = 2; n != 3 }
