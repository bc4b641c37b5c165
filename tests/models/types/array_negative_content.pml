// what: negative numbers in arrays of short and int survive, in byte they don't
short s[2]; int n[2]; byte b[2];
active proctype P()
{
	s[0] = -1; n[1] = -70000; b[0] = -1;
	assert(s[0] < 0 && n[1] == -70000 && b[0] == 255);
	s[1] = s[0] + b[0];
	assert(s[1] == 254 && s[0] * n[1] == 70000)
}
