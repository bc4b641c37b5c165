// what: local arrays of structures are part of each process's own state
typedef T { byte k; bit used };
byte total;
active [2] proctype P()
{
	T t[2];
	t[1].k = _pid + 1;
	t[1].used = 1;
	total = total + t[1].k;
	assert(!t[0].used && t[1].k == _pid + 1)
}
