// what: an end label makes waiting there valid
chan q = [1] of { byte };
active proctype S() { q!1; q!2 }
active proctype R() { byte n; end: do :: q?n od }
