// what: a goto out of a d_step
byte n;
active proctype P() { d_step { n = 1; goto out; n = 2 }; n = 3; out: n = 4 }
