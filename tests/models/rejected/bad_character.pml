// what: a character that the language does not have
byte n;
init { n = 1 $ 2 }
