// what: the same inline twice
byte n;
inline f(a) { a++ }
inline f(a) { a-- }
init { f(n) }
