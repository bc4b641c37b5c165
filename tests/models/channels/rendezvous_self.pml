// what: a process cannot shake hands with itself
chan q = [0] of { byte };
byte n;
active proctype P() { if :: q!1 :: q?n :: timeout -> n = 9 fi; assert(n == 9) }
