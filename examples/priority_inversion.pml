/*
 * What happened to the Mars Pathfinder in 1997: a task of high priority waits for a
 * lock that a task of low priority holds, and a task of middle priority keeps that
 * one from running. Nothing is wrong with any of them alone.
 *
 *     gyre priority_inversion.pml                 violated
 *     gyre priority_inversion.pml -D INHERIT      holds
 *
 * Only the enabled process of the highest priority executes (`priority`). With
 * INHERIT, who holds the lock runs at the priority of who waits for it.
 *
 * gyre: expect violated
 * gyre: expect served violated
 * gyre: with -D INHERIT expect holds
 */
bool busy, event, data_wanted, done;

active proctype High() priority 10
{
    event;                                  /* sleeps until something happens */
    data_wanted = true;
#ifdef INHERIT
    if
    :: busy -> set_priority(1, 10)
    :: else
    fi;
#endif
    atomic { !busy -> busy = true };
    busy = false;
    done = true
}

active proctype Low() priority 2
{
    atomic { !busy -> busy = true };
    event = true;                           /* it happens now */
    skip;
    busy = false
}

active proctype Middle() priority 5
{
end:
    do
    :: event -> skip                        /* there is always something to do */
    od
}

ltl served { [] (data_wanted -> <> done) }
