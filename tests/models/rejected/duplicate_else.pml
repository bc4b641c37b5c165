// what: two else options in a selection
byte n;
active proctype P() { if :: n == 1 -> skip :: else -> n = 1 :: else -> n = 2 fi }
