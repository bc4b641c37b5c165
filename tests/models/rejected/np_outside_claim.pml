// what: np_ outside a never claim
byte n;
init { np_ -> n = 1 }
