// what: show and local are notes for tools and change nothing
show byte a = 1;
local byte b = 2;
active proctype P()
{
	show byte c = 3;
	a = b + c;
	assert(a == 5)
}
