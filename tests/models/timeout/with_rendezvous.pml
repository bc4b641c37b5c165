// what: timeout is not true while a rendezvous is possible
chan q = [0] of { byte };
byte n;
active proctype S() { q!1; q!2 }
active proctype R() { q?n; q?n }
active proctype T() { timeout -> assert(n == 2) }
