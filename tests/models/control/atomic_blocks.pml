// what: an atomic sequence that blocks lets others run and goes on atomically
byte a, b;
active proctype P() { atomic { a = 1; b == 1; a = 2; a = 3 }; skip }
active proctype Q() { a == 1; b = 1; assert(a != 2); assert(a == 1 || a == 3) }
