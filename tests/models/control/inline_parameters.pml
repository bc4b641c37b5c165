// what: inline parameters are replaced in the text, for names and for expressions
byte a = 1, b = 2;
inline swap(x, y) { d_step { int t = x; x = y; y = t; t = 0 } }
inline add(x, e) { x = x + e }
active proctype P()
{
	swap(a, b);
	assert(a == 2 && b == 1);
	add(a, b * 3);
	assert(a == 5)
}
