// what: weak until does not ask for the second part
// run: -a p
byte n;
bit x;
active proctype P() { do :: n < 3 -> n++ :: n == 1 -> do :: x = 1 - x od :: n == 3 -> break od }
ltl p { (n < 3) W (n == 3) }
