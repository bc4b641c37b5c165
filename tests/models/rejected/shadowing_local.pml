// what: a local with the name of an earlier global
byte n;
active proctype P() { byte n; n = 1 }
