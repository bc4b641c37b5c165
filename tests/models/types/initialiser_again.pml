// what: a block-local initialiser runs again at each entry of the block
byte rounds;
active proctype P()
{
	do
	:: rounds < 3 ->
		byte n = 5;
		assert(n == 5);
		n = n + rounds;
		rounds++
	:: else -> break
	od
}
