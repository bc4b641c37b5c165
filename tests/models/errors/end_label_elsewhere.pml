// what: an end label on another statement does not help
byte n;
active proctype A() { end: n = 1; n == 9 }
