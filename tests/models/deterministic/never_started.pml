// what: a D_proctype that never runs
byte n; D_proctype P() { if :: n = 1 :: n = 2 fi } active proctype Q() { n = 1 }
