// what: labels accept1 and accept_here count as well
// run: -a
byte n;
active proctype A() { do :: n == 0 -> accept1: n = 1 :: n == 1 -> accept_here: n = 0 od }
