// what: an if without fi
byte n;
active proctype P() { if :: n == 0 -> n = 1 }
