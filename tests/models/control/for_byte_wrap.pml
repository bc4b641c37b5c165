// what: for over a byte up to 254 stops, the variable ends at 255
byte i;
int c;
active proctype P() { for (i : 250 .. 254) { c++ } assert(c == 5 && i == 255) }
