// what: a remote reference to a proctype that is declared later
byte n;
active proctype A() { n = B[1]:x }
active proctype B() { byte x = 1; skip }
