// what: structures in structures, with arrays on both levels
typedef In { byte v[3]; bit f };
typedef Out { In in[2]; byte n };
Out o[2];
active proctype P()
{
	byte i, j;
	do
	:: i < 2 -> j = 0;
		do
		:: j < 3 -> o[i].in[1 - i].v[j] = 10 * i + j; j++
		:: else -> break
		od;
		o[i].n = i + 5; i++
	:: else -> break
	od;
	assert(o[0].in[1].v[2] == 2 && o[1].in[0].v[2] == 12);
	assert(o[1].in[1].v[2] == 0 && o[0].in[0].v[0] == 0);
	assert(o[0].n == 5 && o[1].n == 6 && !o[0].in[0].f)
}
