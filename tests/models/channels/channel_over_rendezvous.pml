// what: a local channel is sent over a rendezvous channel and used by both sides
chan q = [0] of { chan };
active proctype A() { chan mine = [0] of { byte }; byte n; q!mine; mine?n; assert(n == 9) }
active proctype B() { chan theirs; q?theirs; theirs!9 }
