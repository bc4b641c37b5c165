// what: a choice in an inline of a D_proctype
byte n; inline ch() { if :: n = 1 :: n = 2 fi } active D_proctype P() { ch() }
