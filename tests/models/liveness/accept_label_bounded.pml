// what: an accept label that is passed only three times
// run: -a
byte n;
active proctype P() { do :: n < 3 -> accept: n++ :: n == 3 -> break od; do :: n = 3 od }
