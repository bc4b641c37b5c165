// what: select of a D_proctype up to a variable
byte n, m = 3; active D_proctype P() { select(n : 1 .. m) }
