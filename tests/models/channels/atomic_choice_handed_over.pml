// what: a choice at the end of an atomic sequence has a step of its own after it, once its rendezvous hands control over
chan r = [0] of { byte };
active proctype A() { bit l; do :: atomic { l = 1 - l; if :: r!2 :: l = 1 - l fi } od }
active proctype B() { byte v; bit l; L: if :: l = 0; goto L :: r?v; l = 1; l = 0; goto L fi }
