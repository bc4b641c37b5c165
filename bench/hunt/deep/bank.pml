/* Ten clerks move money between ten accounts, three times each, and lock both accounts: the one with
 * the smaller number first, but for one clerk in his last transfer. A deadlock needs that transfer. */
#define CLERKS 10
#define ACCOUNTS 10
#define TRANSFERS 3

bool locked[ACCOUNTS];
byte balance[ACCOUNTS] = 5;

active [CLERKS] proctype clerk()
{
    byte n, from = _pid, into, first, second;
    do
    :: n < TRANSFERS ->
       into = (from + 1 + n) % ACCOUNTS;
       if
       :: from < into && !(_pid == 3 && n == TRANSFERS - 1) -> first = from; second = into
       :: from < into && _pid == 3 && n == TRANSFERS - 1 -> first = into; second = from   /* wrong */
       :: from > into -> first = into; second = from
       fi;
       atomic { !locked[first] -> locked[first] = true };
       atomic { !locked[second] -> locked[second] = true };
       if
       :: balance[from] > 0 -> balance[from]--; balance[into]++
       :: else
       fi;
       locked[second] = false;
       locked[first] = false;
       from = into; n++
    :: else -> break
    od
}
