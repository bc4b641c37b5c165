// what: a choice inside a d_step takes its first option: no error in a D_proctype
byte n; active D_proctype P() { d_step { n = 1; if :: n = 2 :: n = 3 fi; n = 4 } }
