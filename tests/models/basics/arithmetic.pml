// what: plain arithmetic, with quotient and remainder of negative numbers rounded to zero
int a = 17;
int b = -5;
active proctype P()
{
	assert(a + b == 12 && a - b == 22 && a * b == -85);
	assert(a / b == -3 && a % b == 2);
	assert(b / 2 == -2 && b % 2 == -1);
	assert(-a / 5 == -3 && -a % 5 == -2);
	assert(b / a == 0 && b % a == -5)
}
