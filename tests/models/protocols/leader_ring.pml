// what: leader election on a ring of three by the largest number
#define N 3
chan c[N] = [3] of { byte };
byte leaders, leader;
active [N] proctype Node()
{
	byte mine = (_pid * 2 + 1) % N, m;
	c[(_pid + 1) % N]!mine;
	end: do
	:: c[_pid]?m ->
		if
		:: m > mine -> c[(_pid + 1) % N]!m
		:: m < mine
		:: m == mine -> leaders++; leader = mine; assert(leaders == 1 && leader == N - 1)
		fi
	od
}
