// what: shifts: to the left beyond a byte, to the right with the sign kept
int a = 1;
int n = -8;
byte b = 200;
active proctype P()
{
	assert(a << 10 == 1024);
	assert(n >> 1 == -4 && n >> 3 == -1 && n >> 4 == -1);
	assert(b << 1 == 400);
	b = b << 1;
	assert(b == 144);
	assert(a << 31 < 0)
}
