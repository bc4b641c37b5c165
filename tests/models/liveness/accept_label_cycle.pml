// what: an accept label in a process that is passed for ever
// run: -a
byte n;
active proctype P() { do :: n = 1 - n; accept: skip od }
