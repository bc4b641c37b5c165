// what: a d_step inside an atomic sequence
byte n;
active proctype P() { atomic { n = 1; d_step { n = 2; n = 3 }; n = 4; n = 0 }; skip }
active proctype Q() { assert(n == 0) }
