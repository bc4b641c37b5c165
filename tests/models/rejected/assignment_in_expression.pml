// what: an assignment inside an expression
byte n;
init { (n = 1) -> skip }
