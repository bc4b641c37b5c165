// what: a fair cycle without progress, while the elder process waits to be removed
// run: -l -f; expect: violated non-progress-cycle - -; Spin says holds with -f (and violated without), but P0 cannot move, as P1 is younger and alive
byte x, y, z; chan q = [1] of { bit }; chan r = [0] of { bit };
active [1] proctype P0() { byte v; v = (v + 1) % 3; if ::  skip; progress1: (x == y); z = 0 fi }
active [1] proctype P1() { byte v; skip; d_step { y != 1 -> z = 1 }; q!1; do ::  skip; at2: (x == y); skip; progress3: skip; d_step { x == y -> y = 0 }; skip; progress4: y = (y + 1) % 3 ::  skip; d_step { y > 1 -> x = 0 } ::  atomic { z = 1; y = 1 } :: x == 0 -> break od; x = 1 }
