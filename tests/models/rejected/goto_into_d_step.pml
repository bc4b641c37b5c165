// what: a goto into a d_step
byte n;
active proctype P() { goto in; d_step { n = 1; in: n = 2 } }
