// what: for over an array gives each index
byte a[4] = { 4, 3, 2, 1 };
byte i, sum;
active proctype P()
{
	for (i in a) { sum = sum + a[i] * (i + 1) }
	assert(sum == 4 + 6 + 6 + 4)
}
