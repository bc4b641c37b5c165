// what: a progress label on a d_step
// run: -l
byte n;
active proctype P() { do :: n < 2 -> n++ :: n == 2; progress: d_step { n = 1; n = 0 } od }
