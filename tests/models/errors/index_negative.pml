// what: a negative index
// expect: violated index-out-of-bounds - - -; Spin calls it an assertion and then uses the bad index
byte a[3];
short i = -1;
byte n;
active proctype P() { n = a[i] }
