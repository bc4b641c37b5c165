// what: a local of a block with the name of a local around it
active proctype P() { byte n; { byte n; n = 1 } }
