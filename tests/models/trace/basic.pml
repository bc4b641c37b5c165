// what: a trace of sends and receives in order holds
chan q = [1] of { byte };
active proctype S() { q!1; q!1 }
active proctype R() { byte n; q?n; q?n }
trace { q!_; q?_; q!_; q?_ }
