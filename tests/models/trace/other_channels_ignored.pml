// what: channels that the trace doesn't name are free
chan q = [1] of { byte };
chan r = [2] of { byte };
active proctype S() { q!1; r!3; q!2; r!4 }
active proctype R() { byte n; r?n; r?n; q?n }
active proctype R2() { byte n; q?n }
trace { end: do :: q!_ od }
