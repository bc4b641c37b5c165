// what: expressions are computed as int, whatever the operands
byte a = 200, b = 100;
short s = 30000;
bit t = 1;
active proctype P()
{
	assert(a + b == 300 && a * b == 20000 && b - a == -100);
	assert(s + s == 60000 && s * 10 == 300000);
	assert(t + t == 2 && -t == -1)
}
