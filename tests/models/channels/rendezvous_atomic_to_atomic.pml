// what: atomic sender to atomic receiver: the receiver goes first, then the sender goes on
chan q = [0] of { byte };
byte n, x;
active proctype S() { atomic { x = 1; q!1; assert(n == 3); x = 2; x = 3 } }
active proctype R() { atomic { q?n; n = 2; n = 3 } }
active proctype W() { assert(x != 2 && n != 2) }
