// what: a proctype without a statement
active proctype P() { }
