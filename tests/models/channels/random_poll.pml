// what: q??[..] finds a message anywhere in the channel
chan q = [3] of { byte };
active proctype P()
{
	q!1; q!2; q!3;
	assert(q??[3] && q??[1] && q??[2] && !(q??[4]));
	assert(q?[1] && !(q?[2]) && len(q) == 3)
}
