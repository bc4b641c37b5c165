/* Two lifts for seven floors and six people, each of whom rides three times. A lift has room for
 * three; a door that opens while another person is stepping in is not seen to be full. */
#define FLOORS 7
#define PEOPLE 6
#define RIDES 3
#define ROOM 3

bool wanted[FLOORS], button[2*FLOORS];
byte at[2];
bool open[2];
byte aboard[2];

active [2] proctype lift()
{
    bool up = true;
    do
    :: wanted[at[_pid]] || button[_pid*FLOORS + at[_pid]] ->
       atomic { open[_pid] = true; wanted[at[_pid]] = false; button[_pid*FLOORS + at[_pid]] = false };
       open[_pid] = false
    :: up && at[_pid] < FLOORS - 1 -> at[_pid]++
    :: !up && at[_pid] > 0 -> at[_pid]--
    :: at[_pid] == FLOORS - 1 && up -> up = false
    :: at[_pid] == 0 && !up -> up = true
    od
}

active [PEOPLE] proctype person()
{
    byte here = (_pid * 3) % FLOORS, goal, n, l;
end:
    do
    :: n < RIDES ->
       goal = (here + 2 + n) % FLOORS;
       do
       :: !wanted[here] && !(open[0] && at[0] == here) && !(open[1] && at[1] == here) -> wanted[here] = true
       :: atomic { open[0] && at[0] == here && aboard[0] < ROOM -> l = 0; break }
       :: atomic { open[1] && at[1] == here && aboard[1] < ROOM -> l = 1; break }
       od;
       aboard[l]++;                                      /* wrong: not with the test */
       assert(aboard[l] <= ROOM);
       do
       :: !button[l*FLOORS + goal] && !(open[l] && at[l] == goal) -> button[l*FLOORS + goal] = true
       :: atomic { open[l] && at[l] == goal -> aboard[l]--; break }
       od;
       here = goal; n++
    :: else -> break
    od
}
