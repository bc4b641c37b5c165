// what: each message goes to one of two receivers
chan q = [2] of { byte };
byte got[3];
active proctype S() { q!1; q!2; len(q) == 0; _nr_pr == 1; assert(got[1] == 1 && got[2] == 1) }
active [2] proctype R() { byte n; q?n; got[n]++ }
