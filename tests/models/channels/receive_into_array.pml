// what: a receive stores into an array element
chan q = [2] of { byte, byte };
byte a[3], i = 2;
active proctype P() { q!5, 6; q?a[0], a[i]; assert(a[0] == 5 && a[2] == 6 && a[1] == 0) }
