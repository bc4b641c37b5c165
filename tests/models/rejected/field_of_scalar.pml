// what: a field of a variable that is no structure
byte n;
init { n.x = 1 }
