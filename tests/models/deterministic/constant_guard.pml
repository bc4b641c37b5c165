// what: a constant condition other than true is one statement more
byte n; active D_proctype P() { if :: n = 1 :: 2 > 1 fi }
