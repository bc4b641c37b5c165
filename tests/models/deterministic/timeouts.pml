// what: two options of a D_proctype wait for timeout
byte n; active D_proctype P() { if :: timeout -> n = 1 :: timeout -> n = 2 fi }
