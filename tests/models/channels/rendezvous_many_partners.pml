// what: each pair of sender and waiting receiver is a successor of its own
chan q = [0] of { byte };
byte sum;
active [2] proctype S() { q!_pid + 1 }
active [2] proctype R() { byte n; q?n; sum = sum + n; assert(sum <= 3) }
