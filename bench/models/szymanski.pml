/* Szymanski's mutual exclusion with linear wait: a waiting room with two doors. Scans over
 * the flags of the others take one step per process.
 *
 * -DN=3   processes
 */
#ifndef N
#define N 3
#endif

byte flag[N];		/* 0 outside, 1 at the door, 2 waiting for others, 3 doorway, 4 inside */
byte inside;

active [N] proctype P()
{
	byte j;

	do
	:: flag[_pid] = 1;
		j = 0;
		do			/* wait for the entrance door to be open */
		:: j < N && flag[j] < 3 -> j++
		:: j == N -> break
		od;
		flag[_pid] = 3;
		j = 0;
		do			/* is somebody still at the door? */
		:: j < N && flag[j] != 1 -> j++
		:: j < N && flag[j] == 1 ->
			flag[_pid] = 2;
			j = 0;
			do		/* then wait until somebody closed it */
			:: j < N && flag[j] == 4 -> break
			:: j < N && flag[j] != 4 -> j++
			:: j == N -> j = 0
			od;
			break
		:: j == N -> break
		od;
		flag[_pid] = 4;
		j = 0;
		do			/* those with smaller numbers go first */
		:: j < _pid && flag[j] < 2 -> j++
		:: j >= _pid -> break
		od;
		inside++;
		assert(inside == 1);
		inside--;
		j = _pid + 1;
		do			/* let the doorway drain before leaving */
		:: j < N && (flag[j] < 2 || flag[j] > 3) -> j++
		:: j >= N -> break
		od;
		flag[_pid] = 0
	od
}
