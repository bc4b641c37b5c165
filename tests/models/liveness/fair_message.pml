// what: a sender and a receiver over a buffer under weak fairness
// run: -a p
// run: -a -f p
chan q = [1] of { bit };
bit got;
active proctype S() { do :: q!1 od }
active proctype R() { do :: q?got; got = 0 od }
active proctype N() { bit x; do :: x = 1 - x od }
ltl p { []<> (got == 1) }
