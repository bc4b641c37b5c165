// what: a field that is an array gets its initial value in every element and copy
typedef R { byte a[3] = 7; byte b };
R r[2];
active proctype P()
{
	assert(r[0].a[0] == 7 && r[0].a[2] == 7 && r[1].a[1] == 7 && r[1].b == 0)
}
