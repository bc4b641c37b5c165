// what: an expression as a statement waits until it is not zero
byte n;
active proctype Waiter() { n; assert(n >= 1); n >= 3; assert(n == 3) }
active proctype Setter() { n = 1; n = 2; n = 3 }
