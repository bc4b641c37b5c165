// what: an array of channels: each element is a channel of its own
chan q[3] = [1] of { byte };
active [3] proctype P()
{
	byte n;
	q[_pid]!_pid;
	q[(_pid + 1) % 3]?n;
	assert(n == (_pid + 1) % 3)
}
