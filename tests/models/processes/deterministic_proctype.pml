// what: D_proctype is a proctype that promises to be deterministic
byte n;
active D_proctype P() { n = 1; if :: n == 1 -> n = 2 :: n == 2 -> n = 3 fi; assert(n == 2) }
