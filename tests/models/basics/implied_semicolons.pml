// what: a newline behind a statement stands for a semicolon
byte n
byte m
active proctype P()
{	byte k = 2
	n = 1
	n++
	if
	:: n == k -> n = 4
		m = 1
	:: else
	fi
	do
	:: n > 2 -> n--
	:: n == 2 -> break
	od
	assert(n == 2)
	assert(m == 1)
}
