// what: a structure declared in a block keeps its fields between entries, but its declaration costs a step
typedef R { byte x; byte y };
byte rounds;
active proctype P()
{
	do
	:: rounds < 3 ->
		R r;
		assert(r.x == rounds && r.y == rounds);
		r.x++;
		r.y++;
		rounds++
	:: else -> break
	od
}
