// what: a message over a rendezvous channel is truncated as well
chan q = [0] of { byte };
active proctype S() { q!300 }
active proctype R() { int n; q?n; assert(n == 44) }
