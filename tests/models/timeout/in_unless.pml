// what: timeout as an escape
byte n;
active proctype P() { { n == 5 -> n = 6 } unless { timeout -> n = 9 }; assert(n == 9) }
active proctype Q() { n = 1; n = 2 }
