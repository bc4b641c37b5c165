// what: a line that begins with || : the newline before it has ended the statement
byte a, b;
active proctype P()
{
	a == 1
		|| b == 1;
	a = 2
}
