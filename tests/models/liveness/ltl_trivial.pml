// what: true and false as formulas
// run: -a t
// run: -a f
byte n;
active proctype P() { n = 1 }
ltl t { [] true }
ltl f { <> false }
