// what: a receive that copies, q?<x>, is no event of a trace
chan q = [3] of { byte };
byte n;
active proctype P() { q!1; q?<n>; q?n }
trace { q!1; q?1 }
