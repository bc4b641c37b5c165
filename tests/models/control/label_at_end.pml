// what: a label in front of the closing brace stands for a skip
byte n;
active proctype P()
{
	if
	:: n = 1; goto stop
	:: n = 2
	fi;
	n = n + 10;
stop:
}
