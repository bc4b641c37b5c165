// what: a process that ends at an accept label without a claim: the stutter counts as a cycle
// run: -a
byte n;
active proctype A() { n = 1; accept: n == 9 }
