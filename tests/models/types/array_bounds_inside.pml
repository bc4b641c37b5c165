// what: the first and the last element, by constant and by variable index
byte a[4];
active proctype P()
{
	byte i;
	do
	:: i < 4 -> a[i] = i * i; i++
	:: else -> break
	od;
	assert(a[0] == 0 && a[3] == 9 && a[i - 1] == 9 && a[a[1] + 1] == 4)
}
