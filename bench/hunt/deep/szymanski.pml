/* Szymanski's mutual exclusion for six processes. Those with numbers above two do not wait for process
 * one when they come out of the waiting room. */
#define N 6
byte flag[N];
byte inside;

active [N] proctype P()
{
    byte j;
    do
    :: flag[_pid] = 1;
       j = 0;
       do
       :: j < N && flag[j] < 3 -> j++
       :: j == N -> break
       od;
       flag[_pid] = 3;
       j = 0;
       do
       :: j < N && flag[j] != 1 -> j++
       :: j < N && flag[j] == 1 ->
          flag[_pid] = 2;
          j = 0;
          do
          :: j < N && flag[j] == 4 -> break
          :: j < N && flag[j] != 4 -> j++
          :: j == N -> j = 0
          od;
          break
       :: j == N -> break
       od;
       flag[_pid] = 4;
       j = 0;
       do
       :: j < _pid && (flag[j] < 2 || (j == 1 && _pid > 2)) -> j++     /* wrong: nobody above 2 waits for 1 */
       :: j >= _pid -> break
       od;
       inside++;
       assert(inside == 1);
       inside--;
       j = _pid + 1;
       do
       :: j < N && (flag[j] < 2 || flag[j] > 3) -> j++
       :: j >= N -> break
       od;
       flag[_pid] = 0
    od
}
