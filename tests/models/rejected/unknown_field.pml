// what: a field that the structure does not have
typedef R { byte x };
R r;
init { r.y = 1 }
