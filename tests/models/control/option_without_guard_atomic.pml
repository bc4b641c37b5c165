// what: atomic and d_step blocks as options compete by their first statement
byte n, r;
active proctype P()
{
	do
	:: atomic { n == 0 -> n = 1; r = 1 }
	:: d_step { n == 1 -> n = 2; r = 2 }
	:: { n == 2 -> n = 3; r = 3 }
	:: n == 3 -> break
	:: else -> assert(false)
	od;
	assert(r == 3)
}
