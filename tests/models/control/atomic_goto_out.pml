// what: a goto out of an atomic sequence ends it: others run between the statements behind it, so Q's last assertion can fail
byte n, s;
active proctype P()
{
	atomic { n = 1; if :: goto out :: skip fi; n = 2; n = 3 }
	n = 4;
out:	s = 1;
	s = 2
}
active proctype Q() { assert(n != 2); end: s == 1 -> n = 9; assert(s != 1) }
