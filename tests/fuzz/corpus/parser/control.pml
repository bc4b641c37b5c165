byte n, a[3] = { 1, 2, 3 };
init { byte i
	L: for (i : 0 .. 2) { a[i]++ }
	for (i in a) { if :: i == 1 -> break :: else -> skip fi }
	select (i : 1 .. 3); select (i : 0 .. n)
	do
	:: n < 3 -> n = n + 1; progress: skip
	:: timeout -> goto end1
	:: else break
	od unless { n == 7 -> n-- }
	atomic { n = 1; d_step { n = 2; n = 3 } }
	end1: printf("%d\n", n)
}
