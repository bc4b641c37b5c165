// what: a trace that names only sends of a channel leaves its receives alone
chan q = [2] of { byte };
active proctype S() { q!1; q!2 }
active proctype R() { byte n; q?n; q?n }
trace { q!1; q!2 }
