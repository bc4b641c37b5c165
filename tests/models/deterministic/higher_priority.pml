// what: priorities leave the choice of a D_proctype open
byte n; active D_proctype P() priority 3 { if :: n = 1 :: n = 2 fi } active proctype Q() priority 5 { n == 1 }
