// what: an inline that calls itself
byte n;
inline f(a) { a++; f(a) }
init { f(n) }
