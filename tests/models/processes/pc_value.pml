// what: pc_value(pid) tells positions of another process apart
byte n;
active proctype P() { n = 1; n = 2 }
active proctype Q()
{
	byte a, b;
	end: atomic { n == 0 -> a = pc_value(0) };
end1:	atomic { n == 1 -> b = pc_value(0) };
	assert(a != b)
}
