// what: a never claim over channel contents
// run: -a
chan q = [2] of { byte };
active proctype S() { byte i; do :: q!i; i = (i + 1) % 3 od }
active proctype R() { byte i; do :: q?i od }
never { do :: q?[2] && len(q) == 2 -> break :: else od }
