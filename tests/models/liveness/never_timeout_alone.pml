// what: timeout in a claim alone is never true, as in Spin
// run: -a
byte x;
active proctype P() { x = 1; x == 0 }
never { do :: timeout -> break :: else od }
