// what: between two atomic sequences others can run
byte n;
active proctype P() { atomic { n = 1; n = 2 } atomic { n = 3; n = 4 } }
active proctype Q() { byte seen; seen = n; assert(seen == 0 || seen == 2 || seen == 4) }
