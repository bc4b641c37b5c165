// what: a statement outside any proctype
byte n;
n = 1;
init { skip }
