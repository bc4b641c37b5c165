// what: precedence in formulas: ! over U, && over ->, [] over ->
// run: -a a
// run: -a b
// run: -a c
byte n;
active proctype P() { n = 1; n = 2; do :: n = 2 od }
ltl a { [] (n == 0) -> false }
ltl b { (n == 0) && (n < 3) U (n == 2) }
ltl c { !(n == 1) U (n == 1) -> <> (n == 2) }
