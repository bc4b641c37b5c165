// what: an index beyond the end of an array
// expect: violated index-out-of-bounds - - -; Spin calls it an assertion and then uses the bad index
byte a[3], i = 3;
active proctype P() { a[i] = 1 }
