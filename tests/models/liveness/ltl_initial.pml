// what: a formula without temporal operator speaks of the initial state
// run: -a p
// run: -a q
byte n = 1;
active proctype P() { n = 2; n = 3 }
ltl p { n == 1 }
ltl q { n == 2 }
