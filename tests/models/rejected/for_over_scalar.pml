// what: a for over a variable that is no array
byte i, n;
init { for (i in n) { skip } }
