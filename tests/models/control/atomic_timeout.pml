// what: a timeout inside an atomic sequence waits until all others are stuck
byte n, go;
active proctype P() { atomic { n = 1; timeout; n = 2; go = 1 }; assert(n == 2) }
active proctype Q() { n = n + 4; go == 1 }
