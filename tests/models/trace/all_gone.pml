// what: when all processes have gone, an unfinished trace is no error
chan q = [1] of { byte };
active proctype S() { q!1 }
active proctype R() { byte n; q?n }
trace { q!1; q?1; q!2 }
