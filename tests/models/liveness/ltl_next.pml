// what: the next operator, which Debian's Spin leaves out
// run: -a p; expect: holds - - -; from n == 0 the only step sets n to 1
// run: -a q; expect: violated - - -; after two steps n is 2
// run: -a r; expect: holds - - -; the last state is repeated for ever
byte n;
active proctype P() { n = 1; n = 2 }
ltl p { X (n == 1) }
ltl q { X X (n == 1) }
ltl r { [] ((n == 2) -> X (n == 2)) }
