// what: an assertion three steps deep and a deadlock five steps deep
byte n;
active proctype P() { n = 1; n = 2; assert(n == 1); n = 3; n == 9 }
