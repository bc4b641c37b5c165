// what: a do closed by fi
byte n;
active proctype P() { do :: n == 0 -> n = 1 fi }
