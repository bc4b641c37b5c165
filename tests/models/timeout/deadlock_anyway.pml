// what: an expression with timeout that is false at the timeout leaves a deadlock
byte n;
active proctype A() { n = 1 }
active proctype B() { timeout && n == 2 -> n = 3 }
