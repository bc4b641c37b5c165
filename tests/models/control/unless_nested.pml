// what: of two nested unless the outer escape has priority over the inner one
byte n, where;
active proctype P()
{
	{
		{
			n = 1; n = 2; n = 3
		} unless { n == 2 -> where = 1; where = 2 }
	} unless { n == 2 && where < 2 -> where = 5 };
	assert(where == 5)
}
