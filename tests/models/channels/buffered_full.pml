// what: a send to a full channel waits
chan q = [2] of { byte };
byte sent;
active proctype S() { q!1; sent++; q!2; sent++; q!3; sent++ }
active proctype R() { byte n; sent == 2; assert(len(q) == 2 && full(q)); q?n; assert(n == 1) }
