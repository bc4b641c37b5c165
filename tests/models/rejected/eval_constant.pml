// what: eval outside a receive
byte n;
init { n = eval(3) }
