// what: the operators as words
// run: -a a
// run: -a b
// run: -a c
byte n;
active proctype P() { do :: n < 2 -> n++ :: n == 2 -> n = 0 od }
ltl a { always eventually (n == 2) }
ltl b { always ((n == 1) implies eventually (n == 0)) }
ltl c { ((n < 2) until (n == 2)) && !((n == 0) weakuntil (n == 2)) }
