// what: a never claim that reaches its closing brace is violated
// run: -a
byte n;
active proctype P() { n = 1; n = 2; n = 3 }
never { do :: n < 2 :: n == 2 -> break od }
