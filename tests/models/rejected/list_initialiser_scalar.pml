// what: a list initialiser for a variable that is no array
byte n = { 1, 2 };
init { n = 1 }
