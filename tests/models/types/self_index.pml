// what: an array read by an element of another array, nested three deep
byte a[3] = { 1, 2, 0 };
byte b[3] = { 2, 0, 1 };
active proctype P()
{
	assert(a[b[a[0]]] == 1);
	b[a[1]] = a[b[2]];
	assert(b[2] == 2)
}
