// what: a rendezvous is one joint step
chan q = [0] of { byte };
byte a, b;
active proctype S() { q!3; a = 1 }
active proctype R() { byte n; q?n; assert(n == 3); b = 1 }
