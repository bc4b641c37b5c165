// what: q??x with a plain variable takes the first message
chan q = [3] of { byte };
byte n;
active proctype P() { q!9; q!8; q??n; assert(n == 9 && len(q) == 1) }
