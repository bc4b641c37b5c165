// what: select of a D_proctype between constants
byte n; active D_proctype P() { select(n : 1 .. 3) }
