bool p;
active proctype P() { p = true }
ltl f { always eventualy p }
