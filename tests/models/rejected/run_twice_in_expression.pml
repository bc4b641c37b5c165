// what: two runs in one expression
byte n;
proctype Q() { n = 1 }
init { run Q() && run Q() }
