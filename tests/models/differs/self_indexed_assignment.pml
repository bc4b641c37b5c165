// what: a[a[0]] = v is undone completely
// expect: holds - 7 7 0; a tree of two branches of three steps; Spin prints an error (exit status 1) and would undo it wrongly
byte a[3] = 0;
byte n;
active proctype P()
{
	if
	:: a[a[0]] = 2; assert(a[0] == 2 && a[2] == 0)
	:: n = 1; assert(a[0] == 0 && a[2] == 0)
	fi
}
