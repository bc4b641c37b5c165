// what: the write-only variable _ takes any value and is no state
byte n;
chan q = [2] of { byte };
active proctype P()
{
	q!3;
	q?_;
	_ = 17;
	_ = n + 4;
	assert(len(q) == 0)
}
