// what: provided keeps the choice of a D_proctype out
byte n; active D_proctype P() provided (n == 1) { if :: n = 1 :: n = 2 fi } active proctype Q() { end: n == 2 }
