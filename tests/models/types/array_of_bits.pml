// what: an array of bits holds one value per element
bit a[9];
active [3] proctype P()
{
	a[_pid * 3] = 1;
	a[_pid * 3 + 2] = 1;
	assert(a[_pid * 3 + 1] == 0)
}
