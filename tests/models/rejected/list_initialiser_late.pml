// what: a list initialiser behind the first statement
byte n;
active proctype P() { n = 1; byte a[2] = { 1, 2 }; n = a[1] }
