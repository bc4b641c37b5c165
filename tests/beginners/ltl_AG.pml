byte x;
active proctype P() { x = 1 }
ltl p { AG (x < 2) }
