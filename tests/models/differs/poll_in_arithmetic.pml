// what: a poll is 0 or 1 wherever it stands in an expression
// expect: holds - 7 7 0; one process, five steps and its end; Spin writes `1 - (q??[1])` as `1-not_RV(q) && …` beside a rendezvous channel, and else as a position
chan r = [0] of { bool };
chan q = [2] of { byte };
byte n;
active proctype P()
{
	q!1;
	q!2;
	n = 1 - (q??[2]);
	assert(n == 0);
	(1 - (q??[3]))
}
