// what: a counter that never gets there
// run: -a; expect: holds - 24 24; Spin's pan says so; spin -a itself complains about the local variable
byte x;
active proctype P() { do :: x = (x + 1) % 4 od }
never { byte n; do :: x == 3 && n < 5 -> n++ :: n == 7 -> break :: x != 3 od }
