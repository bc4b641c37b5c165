// what: an atomic inside a d_step is part of the d_step
byte n;
active proctype P() { d_step { n = 1; atomic { n = 2; n = 3 }; n = 0 }; skip }
active proctype Q() { assert(n == 0) }
