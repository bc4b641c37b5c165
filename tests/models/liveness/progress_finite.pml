// what: a system that ends has no non-progress cycle
// run: -l
byte n;
active proctype P() { n = 1; n = 2 }
