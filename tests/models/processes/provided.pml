// what: a process with a provided clause runs only while the clause is true
bit turn;
byte n;
active proctype A() provided (turn == 0) { n++; turn = 1; n++; turn = 1 }
active proctype B() provided (turn == 1) { n = n + 10; turn = 0; n = n + 10; turn = 0 }
