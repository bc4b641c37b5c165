/* Embedded C: a ring of cells that overflows after a while. */
c_state "int level" "Global" "0"
byte turn;
active [3] proctype filler() {
  do :: turn == _pid -> c_code { now.level++; }; assert(c_expr { now.level < 300 }); turn = (turn + 1) % 3 od
}
active [2] proctype idler() { byte x; do :: x < 200 -> x++ :: x > 0 -> x-- od }
