// what: a notrace that never happens
chan q = [2] of { byte };
active proctype S() { q!1; q!2 }
active proctype R() { byte n; q?n; q?n }
notrace { q!2; q!1 }
