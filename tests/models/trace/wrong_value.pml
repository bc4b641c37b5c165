// what: a message with another content than the trace wants
mtype = { a, b };
chan q = [1] of { mtype };
active proctype S() { q!a; q!a }
active proctype R() { q?a; q?a }
trace { end: do :: q!a; q?a; q!b; q?b od }
