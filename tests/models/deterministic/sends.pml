// what: two sends of a D_proctype can be executed
chan a = [1] of {byte}; chan b = [1] of {byte};
active D_proctype P() { if :: a!1 :: b!2 fi }
