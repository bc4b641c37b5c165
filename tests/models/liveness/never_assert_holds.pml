// what: a claim with an assertion that holds
// run: -a
byte x;
active proctype P() { do :: x < 4 -> x++ :: x == 4 -> x = 0 od }
never { do :: assert(x < 5) :: x == 9 -> break od }
