// what: messages leave a buffered channel in the order of sending
chan q = [3] of { byte };
active proctype S() { byte i; for (i : 1 .. 5) { q!i } }
active proctype R() { byte n, k; for (k : 1 .. 5) { q?n; assert(n == k) } }
