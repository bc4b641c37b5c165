// what: q!!x inserts in numerical order, before the first larger message
chan q = [5] of { byte };
byte n;
active proctype P()
{
	q!!3; q!!1; q!!2; q!!5; q!!4;
	q?n; assert(n == 1); q?n; assert(n == 2); q?n; assert(n == 3);
	q?n; assert(n == 4); q?n; assert(n == 5)
}
