// what: a break that leaves a d_step
byte n;
active proctype P() { do :: d_step { n = 1; break } od }
