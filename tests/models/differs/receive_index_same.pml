// what: q?i,a[i] stores the second field under the new index, and is undone completely
// expect: holds - 8 8 0; fields are stored from left to right, so under the new index; Spin undoes it under the old one
chan q = [1] of { byte, byte };
byte a[3], i, b, c;
active proctype P()
{
	q!2, 7;
	if
	:: q?i, a[i]; assert(i == 2 && a[2] == 7)
	:: q?b, c; assert(b == 2 && c == 7 && a[0] == 0 && a[2] == 0)
	fi
}
