// what: an assignment beside a d_step before it is an error in a D_proctype
byte n; active D_proctype P() { if :: d_step { n = 2; n = 3 } :: n = 1 fi }
