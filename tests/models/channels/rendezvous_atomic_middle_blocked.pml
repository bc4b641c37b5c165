// what: an atomic sequence that waits in the middle for a rendezvous
chan q = [0] of { byte };
byte n, a;
active proctype R() { atomic { a = 1; q?n; a = 2; a = 3 } }
active proctype S() { a = a + 4; q!6; assert(n == 6 && a != 2) }
