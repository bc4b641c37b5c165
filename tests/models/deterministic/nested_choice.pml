// what: a choice within a choice in a D_proctype
byte n; active D_proctype P() { if :: if :: n == 0 -> n = 1 :: n == 1 -> n = 2 fi :: n == 0 -> n = 3 fi }
