// what: two processes of a D_proctype, each of them deterministic
byte n; active [2] D_proctype P() { if :: n == 0 -> n = 1 :: n == 1 -> n = 2 fi }
