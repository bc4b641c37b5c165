// what: an array of bit inside a structure holds whole bytes too, a plain bit field one bit
// note: the language says one bit; see bit_array_is_bytes.pml
typedef R { bit a[2]; bit b };
R r, s[2];
active proctype P()
{
	r.a[1] = 7; r.b = 7;
	assert(r.a[1] == 7 && r.b == 1);
	s[1].a[0] = 300; s[1].b = 2;
	assert(s[1].a[0] == 44 && s[1].b == 0)
}
