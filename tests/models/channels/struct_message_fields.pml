// what: a structure beside plain fields in a message
typedef M { byte x; byte y };
chan q = [1] of { byte, M, bit };
M m, r;
byte k; bit t;
active proctype S() { m.x = 1; m.y = 2; q!7, m, 1 }
active proctype R() { q?k, r, t; assert(k == 7 && r.x == 1 && r.y == 2 && t) }
