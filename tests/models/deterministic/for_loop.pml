// what: a for loop of a D_proctype is deterministic
byte n; active D_proctype P() { for (n : 1 .. 3) { skip } }
