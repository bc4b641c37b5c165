// what: nested until and a chain of events in order
// run: -a p
// run: -a q
byte n;
active proctype P() { do :: n < 3 -> n++ :: n == 3 -> n = 0 od }
ltl p { (n == 0) U ((n == 1) U ((n == 2) U (n == 3))) }
ltl q { <> ((n == 3) && <> ((n == 1) && <> (n == 3))) }
