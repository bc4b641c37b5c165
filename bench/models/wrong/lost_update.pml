/* Accounts: five tellers read, compute and write back, without a lock. */
int balance = 100; byte done;
active [5] proctype teller() {
  int seen; byte i;
  for (i : 1 .. 3) { seen = balance; seen = seen + 1; balance = seen }
  done++;
  if :: done == 5 -> assert(balance == 115) :: else fi
}
