// what: a width on a type other than unsigned
byte b : 3;
init { b = 1 }
