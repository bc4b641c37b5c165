// what: the choice in a D_proctype is never reached
byte n; active D_proctype P() { n == 1; if :: n = 1 :: n = 2 fi }
active proctype Q() { end: n == 2 }
