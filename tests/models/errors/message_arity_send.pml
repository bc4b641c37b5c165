// what: a send with fewer values than the channel has fields
chan q = [1] of { byte, byte };
byte n, m;
active proctype P() { q!1; q?n, m; assert(n == 1 && m == 0) }
