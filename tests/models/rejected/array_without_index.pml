// what: an array name used without an index
byte a[3], n;
init { n = a + 1 }
