// what: set_priority and get_priority
byte n;
active proctype A() priority 2
{
	assert(get_priority(_pid) == 2 && _priority == 2);
	set_priority(_pid, 9);
	assert(get_priority(0) == 9);
	set_priority(1, 20);
	assert(n == 5)
}
active proctype B() priority 2 { n = 5 }
