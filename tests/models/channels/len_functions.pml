// what: len, empty, nempty, full and nfull of a buffered channel
chan q = [2] of { byte };
byte n;
active proctype P()
{
	assert(len(q) == 0 && empty(q) && nfull(q));
	q!1;
	assert(len(q) == 1 && nempty(q) && nfull(q));
	q!2;
	assert(len(q) == 2 && nempty(q) && full(q));
	q?n;
	assert(len(q) + len(q) == 2 && nfull(q) && nempty(q))
}
