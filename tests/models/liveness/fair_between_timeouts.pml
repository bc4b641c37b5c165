// what: after its timeout Q can move, so that there is none for P, which may be passed over for ever
// run: -a -f p
bit d;
active proctype P() { timeout; d = 1 }
active proctype Q() { bit l; do :: timeout; l = 1 - l od }
ltl p { <> (d == 1) }
