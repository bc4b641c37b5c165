// what: an inline called with the wrong number of arguments
byte n;
inline add(a, b) { a = a + b }
init { add(n) }
