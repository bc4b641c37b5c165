// Fischer's mutual exclusion with discrete clocks: a process writes its name, waits longer than
// anybody needs to write, and enters if its name is still there. One clock for each process; time
// passes for all at once, and not beyond what somebody has promised.
#ifndef N
#define N 3
#endif
#define WRITE 1 // the most that a write may take
#define WAIT  2 // the least that a process waits after it

#define OFF 15
byte id, inside;
byte clock[N] = OFF; // since a process has begun to write or to wait
bool writing[N];

active [N] proctype P()
{
    do
    :: atomic { id == 0 -> clock[_pid] = 0; writing[_pid] = 1 }
again:
       atomic { clock[_pid] <= WRITE -> id = _pid + 1; clock[_pid] = 0; writing[_pid] = 0 };
       clock[_pid] >= WAIT;
       if
       :: atomic { id == _pid + 1 -> clock[_pid] = OFF };
          inside++;
          assert(inside == 1);
          inside--;
          id = 0
       :: atomic { id != _pid + 1 -> clock[_pid] = OFF }
       fi
    od
}

active proctype Time()
{
    byte i;
    bool may;
end:
    do
    :: d_step {
           may = 1;
           i = 0;
           do
           :: i < N -> may = may && !(writing[i] && clock[i] >= WRITE); i++
           :: else -> break
           od;
           i = 0;
           do
           :: i < N && may && clock[i] < WAIT -> clock[i]++; i++
           :: i < N && !(may && clock[i] < WAIT) -> i++
           :: else -> break
           od;
           i = 0;
           may = 0
       }
    od
}
