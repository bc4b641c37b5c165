// what: an end label inside an atomic sequence
byte n;
active proctype A() { atomic { n = 1; end: n == 2; n = 3 } }
