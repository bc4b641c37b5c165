// what: a receive of an offer beside an assignment is no error
chan a = [0] of {byte}; chan b = [0] of {byte}; byte x;
active D_proctype P() { if :: a?x :: x = 2 fi }
active proctype Q() { end: a!1 }
