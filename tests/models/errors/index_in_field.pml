// what: a bad index inside a structure
// expect: violated index-out-of-bounds - - -; Spin calls it an assertion and then uses the bad index
typedef R { byte v[2] };
R r[2];
byte i = 2;
active proctype P() { r[1].v[i] = 1 }
