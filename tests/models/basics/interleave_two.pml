// what: two processes of three steps each interleave in all ways
byte a, b;
active proctype A() { a = 1; a = 2; a = 3 }
active proctype B() { b = 1; b = 2; b = 3 }
