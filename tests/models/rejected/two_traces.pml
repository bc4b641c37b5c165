// what: two traces
chan q = [1] of { byte };
init { q!1 }
trace { q!1 }
trace { q!2 }
