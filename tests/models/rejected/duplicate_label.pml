// what: the same label twice in a proctype
byte n;
active proctype P() { a: n = 1; a: n = 2; goto a }
