// what: no rendezvous is made with a receiver whose provided clause is false
chan q = [0] of { bit };
bit go;
active proctype R() provided (go) { bit n; q?n; assert(n) }
active proctype S() { q!go }
active proctype T() { go = 1 }
