// what: an inline that calls an inline, used in two proctypes
byte n, m;
inline one(x) { x++ }
inline two(x) { one(x); one(x) }
inline four(x) { two(x); two(x) }
active proctype P() { four(n); assert(n == 4) }
active proctype Q() { two(m); four(m); assert(m == 6) }
