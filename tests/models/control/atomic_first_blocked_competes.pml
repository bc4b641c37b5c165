// what: while an atomic sequence is blocked in its middle, another atomic sequence can run, and the first goes on only when that one ends or blocks
byte a, b;
active proctype P() { atomic { a = 1; b == 1; assert(b == 1); a = 2 } }
active proctype Q() { atomic { a == 1; b = 1; b = 2; b = 1; b = 1 } ; skip }
