// what: two assignments of a D_proctype can always be executed
byte n; active D_proctype P() { if :: n = 1 :: n = 2 :: n = 3 fi }
