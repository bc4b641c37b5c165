// what: a sender without partner does not keep timeout from being true
chan q = [0] of { byte };
byte n;
active proctype S() { end: q!1 }
active proctype T() { if :: timeout -> n = 1 fi; assert(n == 1) }
