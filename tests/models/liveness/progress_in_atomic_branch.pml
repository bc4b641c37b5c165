// what: a progress label inside an atomic sequence that a cycle can avoid
// run: -l
byte x;
active proctype P() { do :: atomic { x = 1; if :: skip; progress: x = 2; x = 0 :: x = 3 fi } od }
