// what: a hidden bit
hidden bit b;
init { b = 1 }
