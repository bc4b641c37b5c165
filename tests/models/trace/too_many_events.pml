// what: an event behind the end of the trace
chan q = [2] of { byte };
active proctype S() { q!1; q!2 }
trace { q!1 }
