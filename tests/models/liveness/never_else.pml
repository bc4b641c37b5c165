// what: else in a never claim
// run: -a
byte n;
active proctype P() { n = 1; n = 2; n = 1 }
never { do :: n == 2 -> break :: else od }
