// what: whether a D_proctype is enabled, asked in the second option of another: neither has a choice
// expect: holds - 9 13 0; Spin has the same counts, but reports non-determinism, of the statement of P0
byte n;
active D_proctype P0() { n == 0 }
active D_proctype P1() { byte v; if :: v = 1 :: d_step { enabled(0); v = 2 } fi }
