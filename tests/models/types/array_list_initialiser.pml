// what: a list initialiser sets the elements in order
byte a[4] = { 1, 2, 3, 4 };
int b[2] = { 1000, 70000 };
active proctype P()
{
	byte c[3] = { 9, 8, 7 };
	assert(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4);
	assert(b[0] == 1000 && b[1] == 70000);
	assert(c[0] == 9 && c[1] == 8 && c[2] == 7)
}
