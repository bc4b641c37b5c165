// what: the second send comes before the first receive
chan q = [2] of { byte };
active proctype S() { q!1; q!2 }
active proctype R() { byte n; q?n; q?n }
trace { q!_; q?_; q!_; q?_ }
