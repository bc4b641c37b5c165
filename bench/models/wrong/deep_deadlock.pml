/* A deadlock behind 4,000 rounds of a counter, while others come and go. */
int n; chan nobody = [0] of { bit };
active proctype counter() { do :: n < 4000 -> n++ :: else -> nobody!1 od }
active [3] proctype noise() {
  byte x, y;
  do :: x < 250 -> x++; y = x :: y > 0 -> y-- :: x == 250 || y == 0 -> break od
}
