// what: between the end of the receiver's atomic part and the rest of the sender's, a third process can run
chan q = [0] of { byte };
byte n, x;
active proctype S() { atomic { x = 1; q!1; x = 2; x = 3 } }
active proctype R() { atomic { q?n; n = 2; n = 3 } }
active proctype W() { assert(!(n == 3 && x == 1)) }
