// what: bitwise operators on positive and negative numbers
int a = 12;
int b = 10;
int m = -1;
active proctype P()
{
	assert((a & b) == 8 && (a | b) == 14 && (a ^ b) == 6);
	assert(~a == -13 && ~m == 0 && (m & 255) == 255);
	assert((m ^ b) == -11 && (m | a) == -1)
}
