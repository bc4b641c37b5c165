// what: a bad index in the argument of a send
// expect: violated index-out-of-bounds - - -; Spin calls it an assertion and then uses the bad index
byte a[2], i = 2;
chan q = [1] of { byte };
active proctype P() { q!a[i] }
