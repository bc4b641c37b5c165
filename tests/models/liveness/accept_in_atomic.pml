// what: an accept label inside an atomic sequence is invisible
// run: -a
byte n;
active proctype P() { do :: n = 4; atomic { n = 1; accept: n = 2; n = 0 }; n = 5 od }
