// what: a rendezvous channel always has length zero
chan q = [0] of { byte };
byte n;
active proctype S() { assert(len(q) == 0); q!1; assert(len(q) == 0) }
active proctype R() { q?n; assert(len(q) == 0 && n == 1) }
