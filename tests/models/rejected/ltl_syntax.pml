// what: an ltl formula with a syntax error
byte n;
init { n = 1 }
ltl p { [] (n == 1 -> ) }
