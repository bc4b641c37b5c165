// what: the usual matrix: an array of a structure with one array
typedef Row { byte c[3] };
Row m[3];
active [3] proctype P()
{
	m[_pid].c[0] = 1;
	m[_pid].c[_pid] = m[_pid].c[0] + 1;
	assert(m[_pid].c[_pid] == 2)
}
