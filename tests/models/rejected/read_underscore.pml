// what: the value of _ is read
byte n;
init { n = _ }
