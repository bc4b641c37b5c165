// what: a remote variable reference in a never claim
// run: -a
active proctype P() { byte x; do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never { do :: P:x == 3 -> break :: else od }
