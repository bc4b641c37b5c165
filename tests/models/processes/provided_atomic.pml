// what: a provided clause that becomes false inside an atomic sequence stops it there
bit go = 1;
byte n;
active proctype A() provided (go) { atomic { n = 1; go = 0; n = 2; n = 3 } }
active proctype B() { go == 0; assert(n == 1); go = 1 }
