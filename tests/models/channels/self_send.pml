// what: a process may send to itself over a buffered channel
chan q = [1] of { byte };
byte n;
active proctype P() { q!5; q?n; assert(n == 5); q!6; q?n; assert(n == 6) }
