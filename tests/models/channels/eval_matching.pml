// what: eval() in a receive matches the present value of a variable
chan q = [2] of { byte, byte };
byte want = 2, a;
active proctype S() { q!1, 10; q!2, 20 }
active proctype R() { q?eval(want), a; assert(a == 20) }
active proctype T() { q?1, a; assert(a == 10 || a == 20) }
