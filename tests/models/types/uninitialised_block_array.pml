// what: at each entry of a block only element 0 of an array declared there is set to 0
byte rounds;
active proctype P()
{
	do
	:: rounds < 3 ->
		byte a[2];
		assert(a[0] == 0);
		assert(a[1] == rounds);
		a[0]++;
		a[1]++;
		rounds++
	:: else -> break
	od
}
