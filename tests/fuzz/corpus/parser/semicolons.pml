byte a; ; int b
active proctype P()
{	byte c
	a = 1
	if
	:: a == 1
	   b = 2
	:: else
	   { b = 3 }
	   c++
	fi
	do :: break od
	{ a = 2 } unless { b == 4 }
	(a == 1
	  || b == 2) -> skip;; skip
}
