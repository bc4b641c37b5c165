byte x;
active proctype P() { printf("%d %d\n", x) }
