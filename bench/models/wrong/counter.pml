/* A long loop, then an assertion that fails, beside others that make noise. */
int n;
active proctype counter() { do :: n < 3000 -> n++ :: else -> break od; assert(false) }
active [3] proctype noise() {
  byte x, y;
  do :: x < 250 -> x++ :: x > 0 -> x-- :: y < 250 -> y = y + 3 :: y > 0 -> y-- od
}
