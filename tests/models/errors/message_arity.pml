// what: a receive with fewer variables than the message has fields: an error at run time, the rest of the message is lost
chan q = [1] of { byte, byte };
byte n;
active proctype P() { q!1, 2; q?n; assert(n == 1 && len(q) == 0) }
