// what: a process stops for good where its own receive makes its provided clause false
chan q = [1] of { byte };
byte n;
active proctype S() { q!1; q!2 }
active proctype A() provided (len(q) > 0) { byte m; q?m; assert(m == 1); q?m; assert(false) }
