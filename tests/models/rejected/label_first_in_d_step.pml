// what: a label as the first thing in a d_step
byte n;
active proctype P() { d_step { here: n = 1; n = 2 } }
