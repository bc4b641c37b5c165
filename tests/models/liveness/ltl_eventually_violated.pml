// what: something that a loop can put off for ever
// run: -a p
byte n;
active proctype P() { do :: n = 1 :: n = 2; break od; n = 5 }
ltl p { <> (n == 5) }
