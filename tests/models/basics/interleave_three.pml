// what: three counting loops interleave in all ways
byte a, b, c;
active proctype A() { do :: a < 4 -> a++ :: else -> break od }
active proctype B() { do :: b < 4 -> b++ :: else -> break od }
active proctype C() { do :: c < 4 -> c++ :: else -> break od }
