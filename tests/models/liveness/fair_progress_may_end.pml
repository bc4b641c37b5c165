// what: P1 goes round without progress, while P0 can never move; P1 may also come to its end
// run: -l -f; expect: violated non-progress-cycle - -; Spin says holds with -f, but violated if the options of P1 change places, or with -a -f and the claim of -l written out
byte x;
active proctype P0() { (x == 1) }
active proctype P1() { do :: x == 0 :: x == 0 -> break od }
