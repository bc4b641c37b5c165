/* Transfers between accounts, all by rendezvous: every account is a process; a client locks the
 * two it wants in order, asks for the balances, writes new ones back, unlocks. Money is neither
 * made nor lost.
 *
 * -DACCOUNTS=3
 * -DCLIENTS=2
 * -DMONEY=1     on each account at the start
 */
#ifndef ACCOUNTS
#define ACCOUNTS 3
#endif
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef MONEY
#define MONEY 1
#endif

chan lock[ACCOUNTS] = [0] of { byte };
chan ask[ACCOUNTS] = [0] of { byte };
chan put[ACCOUNTS] = [0] of { byte };

active [ACCOUNTS] proctype account()
{
	byte balance = MONEY, holder;

end:	do
	:: lock[_pid]?holder ->
		do
		:: ask[_pid]!balance
		:: put[_pid]?balance -> assert(balance <= ACCOUNTS * MONEY)
		:: lock[_pid]?eval(holder) -> holder = 0; break
		od
	od
}

active [CLIENTS] proctype client()
{
	byte a, b, x, y;

	do
	:: a = 0;
		do
		:: a < ACCOUNTS - 2 -> a++
		:: break
		od;
		b = a + 1;
		do
		:: b < ACCOUNTS - 1 -> b++
		:: break
		od;
		lock[a]!_pid;
		lock[b]!_pid;
		ask[a]?x;
		ask[b]?y;
		if
		:: x > 0 -> put[a]!(x-1); put[b]!(y+1)
		:: y > 0 -> put[b]!(y-1); put[a]!(x+1)
		:: else
		fi;
		lock[b]!_pid;
		lock[a]!_pid;
		d_step { a = 0; b = 0; x = 0; y = 0 }
	od
}
