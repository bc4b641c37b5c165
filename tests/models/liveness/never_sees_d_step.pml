// what: the claim sees only the state behind a d_step
// run: -a
byte n;
active proctype P() { do :: d_step { n = 1; n = 2 } ; n = 0 od }
never { do :: n == 0 :: n == 2 :: n == 1 -> break od }
