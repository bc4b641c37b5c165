// what: a progress label inside an atomic sequence is invisible
// run: -l
byte n;
active proctype P() { do :: n = 4; atomic { n = 1; n = 6; progress: n = 2; n = 0 }; n = 5 od }
