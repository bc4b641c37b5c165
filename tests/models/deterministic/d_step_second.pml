// what: a d_step as second option is no error in a D_proctype
byte n; active D_proctype P() { if :: n = 1 :: d_step { n = 2; n = 3 } fi }
