// what: an accept label inside a d_step does not count: it is one step
// run: -a
byte x;
active proctype P() { x = 1; accept_once: x = 2; do :: d_step { x = 1; accept: x = 2; x = 0 } :: x = 3 od }
