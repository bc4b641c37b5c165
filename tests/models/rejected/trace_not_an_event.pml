// what: an assignment in a trace
chan q = [1] of { byte };
byte n;
init { q!1 }
trace { n = 1; q!1 }
