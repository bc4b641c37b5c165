// what: an atomic inside an atomic changes nothing
byte n;
active proctype P() { atomic { n = 1; atomic { n = 2; n = 3 }; n = 4; n = 0 }; skip }
active proctype Q() { assert(n == 0) }
