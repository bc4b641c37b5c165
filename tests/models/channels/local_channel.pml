// what: each process has its own copy of a local channel
byte bad;
active [2] proctype P()
{
	chan q = [1] of { byte };
	byte n;
	q!_pid;
	q?n;
	assert(n == _pid)
}
