// what: a D_proctype that init runs
byte n; D_proctype P() { if :: n = 1 :: n = 2 fi } init { run P() }
