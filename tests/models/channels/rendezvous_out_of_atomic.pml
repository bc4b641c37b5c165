// what: a rendezvous send inside atomic hands control to the receiver, then others may run
chan q = [0] of { byte };
byte n, x;
active proctype S() { atomic { x = 1; q!1; x = 2; x = 3 } }
active proctype R() { q?n; n = 5; assert(x == 1 || x == 3) }
