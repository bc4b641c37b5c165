// what: ++ and -- are statements that wrap in the variable's type
byte b = 255;
short s = 32767;
bit t = 1;
byte z;
active proctype P()
{
	b++;
	assert(b == 0);
	s++;
	assert(s == -32768);
	t++;
	assert(t == 0);
	z--;
	assert(z == 255);
	s--;
	assert(s == 32767)
}
