// what: (c -> x : y) takes one branch and evaluates only this one
byte a[3];
int i = 5;
int r;
active proctype P()
{
	a[0] = 9;
	r = (i > 2 -> 10 : 20);
	assert(r == 10);
	r = (i < 3 -> a[i] : a[0]);
	assert(r == 9);
	r = (i == 5 -> (i > 9 -> 1 : 2) : 3);
	assert(r == 2);
	(i > 100 -> 0 : 1)
}
