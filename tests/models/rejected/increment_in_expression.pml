// what: ++ inside an expression
byte n, m;
init { m = n++ + 1 }
