// what: without atomic the claim sees the value in between
// run: -a
byte n;
active proctype P() { do :: n = 1; n = 2; n = 0 od }
never { do :: n == 0 :: n == 1 :: n == 2 -> break od }
