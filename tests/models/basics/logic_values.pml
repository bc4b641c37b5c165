// what: comparisons and logical operators give 0 or 1 whatever the operands
int a = 7;
int b = -2;
active proctype P()
{
	assert((a && b) == 1 && (a || 0) == 1 && (!a) == 0 && (! (!b)) == 1);
	assert((a > b) + (a != b) + (a == b) == 2);
	assert((true && a) == true && false == 0)
}
