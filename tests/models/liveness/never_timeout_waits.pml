// what: timeout in a claim where all processes are stuck
// run: -a
byte x;
active proctype P() { x = 1; x == 0; timeout }
never { do :: x == 0 :: timeout -> break od }
