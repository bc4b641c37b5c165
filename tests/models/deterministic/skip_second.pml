// what: skip as second option is no error in a D_proctype
byte n; active D_proctype P() { if :: n = 1 :: skip fi; n = 2 }
