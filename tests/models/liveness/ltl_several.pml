// what: three formulas in a model, each with its own verdict
// run: -a p0
// run: -a p1
// run: -a p2
byte n;
active proctype P() { do :: n = (n + 1) % 4 od }
ltl p0 { [] (n < 4) }
ltl p1 { [] (n < 3) }
ltl p2 { []<> (n == 2) -> []<> (n == 3) }
