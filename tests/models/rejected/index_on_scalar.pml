// what: an index on a variable that is no array
byte n;
init { n[1] = 2 }
