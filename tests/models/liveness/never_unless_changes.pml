// what: the same with a claim that counts, and an escape from an escape
// run: -a
byte x, k;
active proctype P() { x = 1; x = 3; x = 1; x = 2; do :: x = 2 od }
never {
    { { do :: k = 1 - k od } unless { x == 1 } } unless { x == 4 };
accept:
    do :: x == 2 od
}
