/*
 * A device with two slots for its firmware. An update goes to the slot that does not
 * run, is checked, and only then the boot loader is set to start from there. Power
 * may fail at any moment. The assertion says that the boot loader never starts a slot
 * that is not whole. It holds.
 *
 *     gyre firmware_update.pml
 *     gyre firmware_update.pml -D EAGER
 *
 * EAGER tells the boot loader first, because "writing takes only a second".
 *
 * gyre: expect holds
 * gyre: with -D EAGER expect violated
 */
mtype = { whole, torn };

mtype slot[2] = whole;
bit boot;                                       /* the slot to start from: survives */
bit running;
bool up;

active proctype Device()
{
    byte part;

start:
    running = boot;
    assert(slot[running] == whole);
    up = true;

    do
    :: up ->                                    /* an update arrives */
#ifdef EAGER
       boot = 1 - running;
#endif
       slot[1 - running] = torn;
       for (part : 1 .. 3) {                    /* part by part */
           if
           :: up
           :: !up -> goto start
           fi
       }
       if
       :: atomic { up -> slot[1 - running] = whole }
       :: !up -> goto start
       fi;
       if
       :: atomic { up -> boot = 1 - running }
       :: !up -> goto start
       fi;
       up = false                               /* restart into the new one */
    :: !up -> goto start
    od
}

active proctype Power()
{
end:
    do
    :: up -> up = false
    od
}
