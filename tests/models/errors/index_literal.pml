// what: a constant index out of bounds
// expect: violated index-out-of-bounds - - -; Spin calls it an assertion and then uses the bad index
byte a[3];
active proctype P() { a[3] = 1 }
