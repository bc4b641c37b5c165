// what: run inside a d_step
byte n;
proctype Q() { n = 1 }
init { d_step { n = 2; run Q() } }
