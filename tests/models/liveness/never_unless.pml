// what: unless in a never claim: where the escape can be taken, the claim does not wait
// run: -a
byte x;
active proctype P() { x = 1; x = 3; x = 1; x = 2; do :: x = 2 od }
never {
    { do :: true od } unless { x == 1 };
accept:
    do :: x == 2 od
}
