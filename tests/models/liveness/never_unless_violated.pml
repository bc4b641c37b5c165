// what: unless in a never claim: the escape is taken, and the claim accepts behind it
// run: -a
byte x;
active proctype P() { x = 1; x = 2; do :: x = 2 od }
never {
    { do :: true od } unless { x == 1 };
accept:
    do :: x == 2 od
}
