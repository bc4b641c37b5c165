// what: an offer that nobody takes is no second statement of a D_proctype
// expect: holds - 2 2 0; Spin reports non-determinism, but not if the options change places
byte n;
chan a = [0] of { byte };

active D_proctype P() { if :: n = 1 :: a!2 fi }
active proctype Q() { byte x; end: false; a?x }
