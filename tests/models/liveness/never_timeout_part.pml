// what: timeout in a claim, and a step whose guard mentions timeout, but can be taken without
// run: -a
byte x;
active proctype P() { do :: timeout || x < 2 -> x = (x + 1) % 3 od }
never { do :: x == 1 && timeout -> break :: else od }
