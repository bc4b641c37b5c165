// what: atomic sequences whose last statement is an if, a goto, a break
byte n, r;
active proctype P()
{
	do
	:: atomic { n < 2 -> n++; if :: r = 0 :: r = 1 fi }
	:: atomic { n == 2 -> r = 2; break }
	:: atomic { n == 1 -> r = 3; goto out }
	od;
	assert(r == 2);
out:	skip
}
active proctype Q() { assert(r < 4) }
