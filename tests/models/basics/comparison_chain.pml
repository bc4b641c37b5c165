// what: a chain of comparisons groups from the left: 3 > 2 > 1 is (3 > 2) > 1, so false
int a = 3;
byte r;
active proctype P()
{
	r = (a > 2 > 1);
	assert(r == 0);
	r = (1 < a < 2);
	assert(r == 1);
	r = (a == 3 == 1);
	assert(r == 1);
	r = (a != 3 != 1);
	assert(r == 1)
}
