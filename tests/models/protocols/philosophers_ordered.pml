// what: dining philosophers who take the lower fork first
#define N 4
bit fork[N];
byte eating;
active [N] proctype Phil()
{
	byte a = (_pid == N - 1 -> 0 : _pid);
	byte b = (_pid == N - 1 -> N - 1 : _pid + 1);
	do
	:: atomic { !fork[a] -> fork[a] = 1 };
		atomic { !fork[b] -> fork[b] = 1 };
		eating++;
		assert(eating <= 2);
		eating--;
		fork[b] = 0;
		fork[a] = 0
	od
}
