// what: a structure variable, its fields and their initial values
typedef Point { short x = 4; short y = -4 };
Point p, q;
active proctype P()
{
	Point l;
	assert(p.x == 4 && p.y == -4 && l.x == 4);
	p.x = 10;
	assert(q.x == 4 && l.x == 4);
	l.y = p.x + q.x;
	assert(l.y == 14)
}
