// what: for over a range with negative numbers
short i; byte c;
active proctype P() { for (i : -2 .. 1) { c++ } assert(c == 4 && i == 2) }
