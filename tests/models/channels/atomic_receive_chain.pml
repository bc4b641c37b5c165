// what: an atomic receiver that takes two rendezvous in a row from different senders
chan q = [0] of { byte };
byte n, m;
active proctype R() { atomic { q?n; q?m; assert(n != m && n + m == 3) } }
active proctype A() { q!1 }
active proctype B() { q!2 }
