// what: two offers of a D_proctype that are both taken
chan a = [0] of {byte}; chan b = [0] of {byte};
active D_proctype P() { if :: a!1 :: b!2 fi }
active proctype Q() { byte x; a?x }
active proctype R() { byte x; b?x }
