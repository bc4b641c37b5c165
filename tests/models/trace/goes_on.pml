// what: behind a violation the trace stays where it was, and the next event is looked at from there
chan q = [4] of { byte };
active proctype S() { q!1; q!5; q!2 }
trace { q!1; q!2 }
