// what: a rendezvous that is always possible happens under weak fairness
// run: -a p
// run: -a -f p
chan q = [0] of { bit };
byte n;
active proctype S() { do :: q!1 od }
active proctype R() { do :: q?_ -> n = 1 - n od }
active proctype N() { bit x; do :: x = 1 - x od }
ltl p { []<> (n == 1) }
