// what: an array of size zero
byte a[0];
init { a[0] = 1 }
