proctype Worker(byte n) { printf("%d\n", n) }
init { Worker(1) }
