// what: two escapes of a D_proctype can be executed
byte n; active D_proctype P() { { n = 1; n = 2 } unless { if :: n == 1 :: n >= 1 fi } }
