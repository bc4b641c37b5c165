// what: the same statement twice in a D_proctype
byte n; active D_proctype P() { if :: n = 1 :: n = 1 fi }
