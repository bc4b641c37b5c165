// what: two ways through an atomic sequence to the same state: one state stored, one matched
byte n;
active proctype P()
{
	atomic { if :: n = 1 :: n = 2 :: skip fi; n = 5 };
	assert(n == 5)
}
