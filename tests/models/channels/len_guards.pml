// what: nempty and nfull as guards
chan q = [2] of { byte };
byte n, i;
active proctype S() { do :: i < 3 -> nfull(q) -> q!i; i++ :: else -> break od }
active proctype R() { byte k; do :: k < 3 -> nempty(q) -> q?n; assert(n == k); k++ :: else -> break od }
