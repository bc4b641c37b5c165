// what: an assertion beside an assignment in a D_proctype: two errors
byte n; active D_proctype P() { if :: n = 1 :: assert(false) fi }
