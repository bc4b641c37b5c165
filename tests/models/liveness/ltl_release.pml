// what: release, written V
// run: -a p
// run: -a q
byte n;
active proctype P() { do :: n < 2 -> n++ :: n == 2 -> n = 0 od }
ltl p { (n == 9) V (n <= 2) }
ltl q { (n == 2) V (n <= 1) }
