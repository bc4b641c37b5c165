// what: a receive inside atomic goes on atomically behind the rendezvous
chan q = [0] of { byte };
byte n, x;
active proctype S() { q!1; x = 7; assert(n == 3) }
active proctype R() { atomic { q?n; n = 2; n = 3 } }
