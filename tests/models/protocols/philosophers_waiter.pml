// what: dining philosophers with forks as channels and a waiter who lets three sit down
#define N 4
chan fork[N] = [1] of { bit };
byte seated;
active [N] proctype Phil()
{
	fork[_pid]!0;
	do
	:: atomic { seated < N - 1 -> seated++ };
		fork[_pid]?0;
		fork[(_pid + 1) % N]?0;
		fork[_pid]!0;
		fork[(_pid + 1) % N]!0;
		seated--
	od
}
