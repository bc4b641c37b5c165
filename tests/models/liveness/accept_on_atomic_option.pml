// what: an accept label on an atomic sequence that is an option
// run: -a; expect: violated acceptance-cycle - -; Spin says so too, but not with -o1 -o2 -o3
byte x;
active proctype P() { do :: accept: atomic { x = 1; x = 2; x = 0 } :: x = 3 od }
