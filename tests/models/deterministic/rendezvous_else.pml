// what: else beside an offer that is taken
chan a = [0] of {byte}; byte n;
active D_proctype P() { if :: a!2 :: else n = 1 fi }
active proctype Q() { byte x; end: a?x }
