// what: an atomic sequence is interrupted at a rendezvous while the receiver executes a statement of its own
chan r = [0] of { byte };
byte x;
active proctype sender() { do :: atomic { x = 1; r!0 } od }
active proctype receiver() { bit l; do :: r?x; l = 1 - l; l = 1 - l od }
active proctype reader() { assert(x == 0) }
