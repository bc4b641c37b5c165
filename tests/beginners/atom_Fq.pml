bool q;
active proctype P() { q = true }
ltl f { Fq }
