// what: a receive stores into fields of a structure
typedef R { byte x; short y[2] };
R r[2];
chan q = [1] of { byte, short };
active proctype P() { q!5, -6; q?r[1].x, r[1].y[1]; assert(r[1].x == 5 && r[1].y[1] == -6 && r[0].x == 0) }
