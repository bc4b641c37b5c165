// what: a choice inside an atomic sequence of a D_proctype
byte n; active D_proctype P() { atomic { n = 1; if :: n = 2 :: n = 3 fi; n = 4 } }
