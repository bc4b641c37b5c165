// what: a label as the first thing in braces
byte n;
active proctype P() { { here: n = 1; n = 2 }; goto here }
