// what: a barrier of three processes that is used again and again
#define N 3
byte count, round[N];
bit sense;
active [N] proctype P()
{
	bit mine = 1;
	do
	:: atomic {
			count++;
			if
			:: count == N -> count = 0; sense = mine
			:: else
			fi
		};
		sense == mine;
		round[_pid] = (round[_pid] + 1) % 3;
		assert(round[0] != (round[_pid] + 1) % 3 || round[0] != (round[(_pid + 1) % N] + 2) % 3);
		mine = 1 - mine
	od
}
