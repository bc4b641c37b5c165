/* Priorities: the high one waits for a lock that the low one holds, and the middle one runs. */
bit lock; byte rounds;
active proctype low() priority 1 { do :: lock == 0 -> lock = 1; rounds++; lock = 0 od }
active proctype middle() priority 5 {
  byte i;
  lock == 1; do :: i < 100 -> i++ :: i == 100 -> assert(lock == 0); i = 0 od
}
active proctype high() priority 9 { lock == 1; do :: lock == 0 -> lock = 1; lock = 0 od }
