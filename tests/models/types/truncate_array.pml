// what: elements of byte and short arrays are truncated one by one
byte a[2];
short s[2];
active proctype P()
{
	a[1] = 511; assert(a[0] == 0 && a[1] == 255);
	a[1]++; assert(a[1] == 0);
	s[0] = 32767; s[0]++; assert(s[0] == -32768 && s[1] == 0)
}
