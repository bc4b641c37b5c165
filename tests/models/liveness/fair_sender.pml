// what: the same with the sender waiting
// run: -a p
// run: -a -f p
chan r = [0] of { bit };
byte x, y;
active proctype S() { do :: r?_ :: x = 1 - x od }
active proctype R() { r!1; y = 1 }
ltl p { <>(y == 1) }
