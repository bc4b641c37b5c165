// what: sorted send with negative numbers in a short field
chan q = [3] of { short };
short a, b, c;
active proctype P() { q!!0; q!!-5; q!!7; q?a; q?b; q?c; assert(a == -5 && b == 0 && c == 7) }
