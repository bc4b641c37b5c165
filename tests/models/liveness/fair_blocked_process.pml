// what: a process that is blocked for ever does not stand in the way of a fair cycle
// run: -a -f p
bit b;
byte n;
active proctype P() { n == 9 }
active proctype Q() { do :: b = 1 - b od }
ltl p { <>[] (b == 0) }
