// what: two receives of a D_proctype match the same message
chan a = [1] of {byte}; byte x;
active D_proctype P() { a!1; if :: a?1 :: a?x fi }
