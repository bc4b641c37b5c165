// what: an initialised variable as the size of an array stands for its initial value
byte n = 3;
byte a[n];
active proctype P() { n = 1; a[2] = 5; assert(a[2] == 5 && a[0] == 0) }
