// what: _ in a receive throws a field away
chan q = [2] of { byte, byte };
byte a;
active proctype P() { q!1, 2; q!3, 4; q?_, a; assert(a == 2); q?a, _; assert(a == 3) }
