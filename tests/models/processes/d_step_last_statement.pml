// what: a process whose only statement is a d_step, and one whose only statement is an atomic
byte n;
active proctype A() { d_step { n++; n++ } }
active proctype B() { atomic { n++; n++ } }
active proctype C() { assert(n % 2 == 0) }
