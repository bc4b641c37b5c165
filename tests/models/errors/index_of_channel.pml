// what: a bad index into an array of channels
// expect: violated index-out-of-bounds - - -; Spin calls it an assertion and then uses the bad index
chan q[2] = [1] of { byte };
byte i = 2;
active proctype P() { q[i]!1 }
