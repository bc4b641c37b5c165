// what: one of two waiting processes has no end label
byte n;
active proctype A() { end: n == 9 }
active proctype B() { n == 9 }
