// what: the end of a process right behind an atomic sequence is a step of its own
byte n;
active [2] proctype P() { atomic { n++; n-- } }
active proctype Q() { assert(n == 0) }
