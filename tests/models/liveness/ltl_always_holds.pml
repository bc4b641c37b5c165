// what: an invariant as ltl
// run: -a p
byte n;
active proctype P() { do :: n < 3 -> n++ :: n == 3 -> n = 0 od }
ltl p { [] (n <= 3) }
