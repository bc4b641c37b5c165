// what: a goto to a label on a d_step
byte n;
active proctype P() { n = 1; here: d_step { n = 2; n = 3 }; if :: n == 9 -> goto here :: else fi }
