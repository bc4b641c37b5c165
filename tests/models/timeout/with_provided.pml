// what: a process that provided holds back does not keep timeout from being true
bit go;
byte n;
active proctype A() provided (go) { n = 1 }
active proctype B() { timeout -> go = 1; n == 1 }
