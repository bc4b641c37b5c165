// what: the claim looks at the initial state before the first step
// run: -a
byte n;
active proctype P() { n = 1 }
never { if :: n == 0 -> skip fi }
