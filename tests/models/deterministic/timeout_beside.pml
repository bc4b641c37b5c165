// what: timeout beside a statement that can be executed
byte n; active D_proctype P() { if :: timeout -> n = 1 :: n == 0 -> n = 2 fi }
