// what: a label on a declaration
active proctype P() { skip; l: byte n; n = 1 }
