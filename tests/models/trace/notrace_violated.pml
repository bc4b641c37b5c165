// what: a notrace that happens in one order
chan q = [2] of { byte };
active proctype A() { q!1 }
active proctype B() { q!2 }
notrace { q!2; q!1 }
