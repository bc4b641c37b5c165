// what: the claim makes no step inside an atomic sequence
// run: -a
byte n;
active proctype P() { do :: atomic { n = 1; n = 2; n = 0 } od }
never { do :: n == 0 :: n == 1 -> break :: n == 2 -> break od }
