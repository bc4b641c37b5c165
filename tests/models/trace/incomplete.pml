// what: the system stops at an end label while the trace expects more
chan q = [1] of { byte };
active proctype S() { q!1 }
active proctype R() { byte n; end: do :: q?n od }
trace { q!1; q?1; q!2 }
