// what: a rendezvous sender whose provided clause is false offers nothing
chan q = [0] of { bit };
bit go;
active proctype R() { bit n; q?n; assert(n) }
active proctype S() provided (go) { q!go }
active proctype T() { go = 1 }
