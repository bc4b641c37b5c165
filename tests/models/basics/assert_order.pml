// what: the assertion fails only in one of the orders of three writers
byte n;
active proctype A() { n = 1 }
active proctype B() { n = n * 2 }
active proctype C() { n = n + 3; assert(n != 5) }
