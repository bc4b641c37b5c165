// what: one initial value goes to all elements of an array
byte a[5] = 3;
short b[3] = -2;
active proctype P()
{
	bit c[2] = 1;
	assert(a[0] + a[1] + a[2] + a[3] + a[4] == 15);
	assert(b[0] == -2 && b[2] == -2 && c[0] && c[1])
}
