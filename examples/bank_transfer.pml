/*
 * Transfers between accounts, each with a lock of its own. A transfer takes the
 * lock of the account it takes from, then that of the account it gives to. Two of
 * them in opposite directions wait for each other for ever.
 *
 *     gyre bank_transfer.pml                 a deadlock
 *     gyre bank_transfer.pml -D ORDERED      holds: locks are taken in one order
 *
 * `sum` says that no money comes or goes: look at what it says while a transfer is
 * under way, and why the formula asks for free locks.
 *
 * gyre: expect violated
 * gyre: with -D ORDERED expect holds
 */
#define ACCOUNTS 3
#define lock(a)   atomic { !locked[a] -> locked[a] = true }
#define unlock(a) locked[a] = false

bool locked[ACCOUNTS];
byte balance[ACCOUNTS] = 2;

active [2] proctype Clerk()
{
    byte from, to;

    do
    :: atomic { select (from : 0 .. 2); select (to : 0 .. 1); to = (from + 1 + to) % 3 };
#ifdef ORDERED
       if
       :: from < to -> lock(from); lock(to)
       :: else -> lock(to); lock(from)
       fi;
#else
       lock(from);
       lock(to);
#endif
       if
       :: balance[from] > 0 -> balance[from]--; balance[to]++
       :: else
       fi;
       unlock(from);
       unlock(to)
    od
}

#define idle (!locked[0] && !locked[1] && !locked[2])
ltl sum { [] (idle -> balance[0] + balance[1] + balance[2] == 6) }
