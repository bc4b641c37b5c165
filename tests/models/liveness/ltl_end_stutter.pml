// what: the last state of a system that ends is repeated for ever
// run: -a p
// run: -a q
byte n;
active proctype P() { n = 1; n = 2 }
ltl p { <>[] (n == 2) }
ltl q { []<> (n == 1) }
