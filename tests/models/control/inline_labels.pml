// what: an inline whose body contains a loop made of goto
byte n;
inline upto(k) {
	n = 1;
again:	if
	:: n < k -> n++; goto again
	:: else
	fi
}
active proctype P() { upto(4); assert(n == 4) }
