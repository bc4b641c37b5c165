// what: a process whose provided clause is never true is in an invalid end state
bit go;
byte n;
active proctype A() provided (go) { n = 1 }
active proctype B() { n = 2; assert(n == 2) }
