// what: a process that has ended does not stand in the way of a fair cycle
// run: -a -f p
bit b;
byte n;
active proctype P() { n = 1 }
active proctype Q() { do :: b = 1 - b od }
ltl p { <> (n == 1) && <>[] b }
