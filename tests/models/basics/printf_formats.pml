// what: every conversion of printf is accepted and changes nothing
mtype = { red, green };
byte b = 7;
int n = -3;
mtype c = green;

active proctype P()
{
	printf("%d %u %x %o %c\n", n, b, b, b, 'a');
	printf("%e %e done\n", c, red);
	printm(c);
	assert(b == 7 && n == -3 && c == green)
}
