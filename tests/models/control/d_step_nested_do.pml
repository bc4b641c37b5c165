// what: nested loops with break inside a d_step, first option first
byte i, j, n;
active proctype P()
{
	d_step {
		do
		:: i < 3 -> j = 0;
			do
			:: j < i -> n++; j++
			:: else -> break
			od;
			i++
		:: else -> break
		od
	};
	assert(n == 3 && i == 3)
}
