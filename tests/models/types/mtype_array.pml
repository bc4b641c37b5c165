// what: arrays and fields of type mtype
mtype = { idle, busy, done };
typedef J { mtype s = idle };
mtype a[3] = busy;
J j[2];
active proctype P()
{
	assert(a[2] == busy && j[1].s == idle);
	a[1] = done;
	j[0].s = a[1];
	assert(j[0].s == done && j[1].s == idle && a[0] == busy)
}
