// what: a formula over a system with unless
// run: -a p
byte n;
bit stop;
active proctype P() { do :: n < 2 -> { do :: n = 1 - n od } unless { stop -> n = 2 } :: n == 2 -> break od }
active proctype Q() { stop = 1 }
ltl p { [] (stop -> <> (n == 2)) }
