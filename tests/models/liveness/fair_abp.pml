// what: the alternating bit over a line that may lose for ever: fairness of processes is not enough
// run: -a -f p
chan down = [1] of { bit };
chan up = [1] of { bit };
bit got;
active proctype S() { bit s, r; do :: down!s :: up?r -> if :: r == s -> s = 1 - s :: else fi od }
active proctype R() { bit r; do :: down?r -> got = r; up!r :: down?_ od }
ltl p { []<> (got == 1) }
