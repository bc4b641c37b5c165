// what: a claim with an assertion that fails
// run: -a
byte x;
active proctype P() { do :: x < 4 -> x++ :: x == 4 -> x = 0 od }
never { do :: assert(x < 4) od }
