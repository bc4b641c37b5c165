// what: an inline with a return value
byte r;
int s;
inline square(x) { return x * x }
active proctype P()
{
	r = square(3);
	assert(r == 9);
	s = square(r);
	assert(s == 81)
}
