/*
 * A lock that looks right: check that it is free, then take it. Between the
 * check and the taking another process may slip in: Gyre shows how, in seven steps.
 */
bool held;
byte inside;

active [2] proctype Process()
{
    do
    :: !held ->
       held = true;
       inside++;
       assert(inside == 1);
       inside--;
       held = false
    od
}

/* gyre: expect violated */
