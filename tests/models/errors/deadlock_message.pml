// what: a receiver waits although the system has otherwise ended
chan q = [1] of { byte };
active proctype S() { q!1 }
active proctype R() { byte n; q?n; q?n }
