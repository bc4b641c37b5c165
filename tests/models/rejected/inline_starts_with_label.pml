// what: a label as the first thing in an inline is a label first inside braces
byte n;
inline upto(k) {
again:	if
	:: n < k -> n++; goto again
	:: else
	fi
}
active proctype P() { upto(4); assert(n == 4) }
