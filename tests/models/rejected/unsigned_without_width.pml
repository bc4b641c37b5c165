// what: unsigned without a width
unsigned u;
init { u = 1 }
