// what: the same variable twice in a receive
chan q = [1] of { byte, byte };
byte n;
init { q!1, 2; q?n, n }
