// what: two never claims without names are called never_0 and never_1
// run: -a never_0
// run: -a never_1
byte n;
active proctype P() { do :: n < 2 -> n++ :: n == 2 -> n = 0 od }
never { do :: n == 5 -> break :: else od }
never { do :: n == 2 -> break :: else od }
