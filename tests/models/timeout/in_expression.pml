// what: timeout as part of an expression
byte n;
active proctype A() { n = 1 }
active proctype B() { timeout && n == 1 -> n = 2; assert(n == 2) }
