// A sorting plant: bricks come on one belt in two kinds, a sensor tells the kind, a controller sets
// an arm in time, and two boxes take them, in turns of two. Everything is in shared variables, as in a PLC.
#ifndef BRICKS
#define BRICKS 2 // between feeder and arm at most
#endif
#ifndef DELAY
#define DELAY 2 // steps of the belt between sensor and arm
#endif

mtype = { none, red, blue };
mtype belt[DELAY + 1] = none; // place 0 is at the sensor, the last at the arm
mtype arm = none;
mtype wanted = none;
byte on, left, right;

active proctype Feeder()
{
    do
    :: belt[0] == none && on < BRICKS ->
       on++;
       if
       :: belt[0] = red
       :: belt[0] = blue
       fi
    od
}

active proctype Belt()
{
    byte i;
    do
    :: belt[DELAY] == none -> // the arm has taken what was there
       i = DELAY;
       do
       :: i > 0 -> atomic { belt[i] = belt[i - 1]; belt[i - 1] = none; i-- }
       :: else -> break
       od
    od
}

active proctype Controller()
{
    do
    :: atomic { wanted == none && belt[DELAY] != none -> wanted = belt[DELAY] };
       if
       :: arm != wanted -> arm = wanted
       :: else
       fi;
       assert(arm == belt[DELAY]);
       belt[DELAY] = none;
       if
       :: arm == red -> left = (left + 1) % 2
       :: else -> right = (right + 1) % 2
       fi;
       on--;
       wanted = none
    od
}
