// what: a d_step may begin with a rendezvous receive
chan q = [0] of { byte };
byte n, x;
active proctype R() { d_step { q?n; n++; x = n } ; assert(x == 5) }
active proctype S() { q!4 }
