// what: braces alone add no step
byte n;
active proctype P() { { n = 1; { n = 2; { n = 3 } } }; { { { n = 4 } } } ; assert(n == 4) }
