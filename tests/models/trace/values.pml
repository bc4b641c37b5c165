// what: a trace with message contents
mtype = { a, b };
chan q = [1] of { mtype };
active proctype S() { q!a; q!b }
active proctype R() { q?a; q?b }
trace { do :: q!a; q?a; q!b; q?b od }
