// what: a label as the first thing in an atomic
byte n;
active proctype P() { atomic { here: n = 1; n = 2 } }
