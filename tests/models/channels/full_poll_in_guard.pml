// what: polls and length tests mixed with ordinary conditions in guards
chan q = [2] of { byte };
byte n, r;
active proctype S() { do :: n < 3 && nfull(q) -> n++; q!n :: n == 3 -> break od }
active proctype R()
{
	do
	:: q?[2] && n >= 2 -> q?2; r++
	:: len(q) == 2 || n == 3 && nempty(q) -> if :: q?[1] -> q?1 :: q?[3] -> q?3; break :: q?[2] -> skip fi
	:: n < 3 && q?[1] -> q?1
	od;
	assert(r == 1)
}
