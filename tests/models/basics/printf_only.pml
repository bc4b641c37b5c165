// what: a body made of printf only still takes one step per printf
active proctype P()
{
	printf("one\n");
	printf("two %d\n", 2)
}
