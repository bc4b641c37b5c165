// what: a never claim that cannot follow the system is dropped, the property holds
// run: -a
byte n;
active proctype P() { n = 1; n = 2; n = 3 }
never { do :: n < 2 :: n == 9 -> break od }
