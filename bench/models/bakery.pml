/* Lamport's bakery lock with bounded tickets. A process looks at every other ticket, one per
 * step, takes one more than the largest, then waits for each process with a smaller ticket.
 * When the largest ticket reaches MAX a newcomer waits until the bakery has emptied.
 *
 * -DN=3     processes
 * -DMAX=4   largest ticket
 */
#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 4
#endif

bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype P()
{
	byte j, most;

	do
	:: choosing[_pid] = true;
		j = 0; most = 0;
		do
		:: j < N ->
			if
			:: ticket[j] > most -> most = ticket[j]
			:: else
			fi;
			j++
		:: j == N && most < MAX -> break
		:: j == N && most == MAX -> j = 0; most = 0
		od;
		ticket[_pid] = most + 1;
		choosing[_pid] = false;
		j = 0;
		do
		:: j < N ->
			!choosing[j];
			(ticket[j] == 0 || ticket[j] > ticket[_pid] || (ticket[j] == ticket[_pid] && j >= _pid));
			j++
		:: j == N -> break
		od;
		inside++;
		assert(inside == 1);
		inside--;
		ticket[_pid] = 0
	od
}
