// what: question and answer over two rendezvous inside atomic sequences on both sides
chan q = [0] of { byte };
chan r = [0] of { byte };
byte n, m;
active proctype A() { atomic { q!4; r?m; assert(m == 8) }; m = 0 }
active proctype B() { atomic { q?n; n = n * 2; r!n; n = 0 } }
active proctype W() { assert(m == 0 || m == 8) }
