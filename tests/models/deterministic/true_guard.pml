// what: true as second guard is no error in a D_proctype
byte n; active D_proctype P() { if :: n = 1 :: true -> n = 2 fi; n = 2 }
