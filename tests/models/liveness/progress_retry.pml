// what: a sender that can repeat for ever without success
// run: -l
chan q = [1] of { byte };
byte n;
active proctype S() { do :: q!1 :: q?_ od }
active proctype R() { do :: q?n -> progress: n = 0 od }
