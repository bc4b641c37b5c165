// what: one of two cycles avoids the progress label
// run: -l
byte n;
active proctype P() { do :: n = 1 - n :: n == 0; progress: n = 0 od }
