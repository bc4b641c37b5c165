/* Eight threads lock in a ring, with work in between. */
#define N 8
bit lock[N]; byte work[N];
active [N] proctype thread() {
  byte i;
  do
  :: atomic { lock[_pid] == 0 -> lock[_pid] = 1 };
     for (i : 1 .. 5) { work[_pid]++ }
     atomic { lock[(_pid + 1) % N] == 0 -> lock[(_pid + 1) % N] = 1 };
     work[_pid] = 0; lock[_pid] = 0; lock[(_pid + 1) % N] = 0
  od
}
