// what: a deadlock is no non-progress cycle
// run: -l
byte n;
active proctype P() { n = 1; n == 7 }
