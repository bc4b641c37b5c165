// what: a trace that is a loop with a choice
chan q = [2] of { byte };
active proctype S() { byte i; do :: i < 4 -> i++; if :: q!1 :: q!2 fi :: else -> break od }
active proctype R() { byte n; end: do :: q?n od }
trace { end: do :: q!1 :: q!2 od }
