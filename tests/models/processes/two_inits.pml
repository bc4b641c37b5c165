// what: two init blocks both run
byte n;
init { n++ }
init { n = n + 2; assert(n >= 2) }
