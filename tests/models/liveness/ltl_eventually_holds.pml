// what: something that must happen on every run
// run: -a p
byte n;
active proctype P() { n = 1; if :: n = 2 :: n = 3 fi; n = 5 }
ltl p { <> (n == 5) }
