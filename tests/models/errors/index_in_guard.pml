// what: a bad index in a guard
// expect: violated index-out-of-bounds - - -; Spin calls it an assertion and then uses the bad index
byte a[2] = 1, i;
active proctype P() { do :: a[i] == 1 -> i++ od }
