// what: a block-local without initialiser is set to 0 at each entry, and this costs a step
byte rounds;
active proctype P()
{
	do
	:: rounds < 3 ->
		byte n;
		assert(n == 0);
		n = n + 5;
		rounds++
	:: else -> break
	od
}
