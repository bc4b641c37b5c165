active proctype P() { byte x; x = 1; x = 2 }
ltl f { <> (x == 2) }
