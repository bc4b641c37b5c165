// what: a rendezvous that the trace doesn't want
chan q = [0] of { byte };
active proctype S() { q!1; q!1 }
active proctype R() { byte n; q?n; q?n }
trace { q!1; q!2 }
