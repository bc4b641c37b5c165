// what: a cycle that avoids the accept label is no acceptance cycle
// run: -a
byte n;
active proctype P() { n = 1; accept: n = 2; do :: n = 5 - n od }
