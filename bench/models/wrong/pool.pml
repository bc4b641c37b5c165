/* A pool of workers that are started for each job; one path forgets to give its slot back. */
byte slots = 3, jobs = 8; 
proctype worker(byte job) {
  if :: job % 4 != 3 -> slots++ :: job % 4 == 3 -> skip fi
}
active proctype boss() {
  do :: jobs > 0 -> slots > 0; slots--; run worker(jobs); jobs-- :: jobs == 0 -> break od;
  slots == 3
}
