// what: two never claims with names, chosen by name
// run: -a small
// run: -a big
byte n;
active proctype P() { do :: n < 3 -> n++ :: n == 3 -> n = 0 od }
never small { do :: n == 3 -> break :: else od }
never big { do :: n == 4 -> break :: else od }
