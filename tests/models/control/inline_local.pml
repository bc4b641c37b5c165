// what: a local declared in an inline belongs to each call
byte n;
inline count(k) { byte i = 0; do :: i < k -> i++; n++ :: else -> break od }
active proctype P() { count(2); count(3); assert(n == 5) }
