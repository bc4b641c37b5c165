// what: printf inside atomic and d_step costs nothing of its own
byte n;
active proctype P() { d_step { printf("a\n"); n++; printf("%d\n", n) }; atomic { n++; printf("b\n"); n++ }; assert(n == 3) }
