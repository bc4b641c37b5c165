// what: a trace over a rendezvous channel, placed behind the proctypes
chan q = [0] of { byte };
active proctype S() { q!1; q!2 }
active proctype R() { byte n; q?n; q?n }
trace { q!1; q!2 }
