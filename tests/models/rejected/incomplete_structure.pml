// what: a structure used as a number
typedef R { byte x };
R r;
byte n;
init { n = r + 1 }
