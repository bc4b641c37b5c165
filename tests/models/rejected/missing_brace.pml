// what: a proctype without its closing brace
byte n;
active proctype P() { n = 1;
