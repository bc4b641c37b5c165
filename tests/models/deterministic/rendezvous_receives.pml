// what: two receives of a D_proctype match the same offer
chan a = [0] of {byte}; byte x;
active D_proctype P() { if :: a?1 :: a?x fi }
active proctype Q() { a!1 }
