// what: the same global name twice
byte n;
byte n;
init { n = 1 }
