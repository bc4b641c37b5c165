// what: an assertion on a claim's own variable
// run: -a; expect: violated assertion - -; Spin's pan says so; spin -a itself complains about the local variable
byte x;
active proctype P() { do :: x = (x + 1) % 4 od }
never { byte n = 3; do :: true -> n--; assert(n > 1) od }
