byte x;
active proctype P() { x = 1 }
ltl p { AG EF x == 1 }
