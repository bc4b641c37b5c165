/* Twelve philosophers, forks as channels, everybody takes the left one first. */
chan fork[12] = [1] of { bit };
active [12] proctype philosopher() {
  bit b;
  fork[_pid]!1;
  do :: fork[_pid]?b; fork[(_pid + 1) % 12]?b; fork[_pid]!1; fork[(_pid + 1) % 12]!1 od
}
