// what: a deadlock is repeated for ever
// run: -a p
byte n;
active proctype P() { n = 1; n == 5; n = 6 }
ltl p { <> (n == 6) }
