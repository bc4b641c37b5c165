// what: P@label is true exactly while the process stands there
byte n;
active proctype P() { n = 1; here: n = 2; n = 3 }
active proctype Q() { end: atomic { P@here; assert(n == 1) } }
active proctype R() { assert(P@here == (n == 1)) }
