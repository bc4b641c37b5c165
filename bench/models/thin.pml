/* Levels of two states, S * S of them; with -DWIDE, nearly the same states in levels of up to 2 * S.
 * -DS: how far each of two counters goes (632: 400,000 levels).
 */
#ifndef S
#define S 632
#endif

short x, y;
bool flip;

active proctype count() {
#ifdef WIDE
  do
  :: y < S -> y++
  :: break
  od;
#endif
  do
  :: x < S -> x++
#ifndef WIDE
  :: x == S && y < S -> d_step { x = 0; y++ }
#endif
  :: else -> break
  od
}

active proctype other() {
  do
  :: flip = !flip
  :: x == S && y == S -> break
  od;
  assert(x <= S && y <= S)
}
