// what: a list initialiser that is too short repeats its last value
byte a[5] = { 1, 2 };
active proctype P()
{
	assert(a[0] == 1 && a[1] == 2 && a[2] == 2 && a[3] == 2 && a[4] == 2)
}
