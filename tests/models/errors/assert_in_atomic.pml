// what: a failing assertion inside an atomic sequence
byte n;
active proctype P() { atomic { n = 1; assert(n == 0); n = 2 }; n = 3 }
