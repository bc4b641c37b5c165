// what: processes are created in a loop, a bounded number at a time
byte started, ended;
proctype P() { ended++ }
init
{
	do
	:: started < 5 && _nr_pr < 3 -> started++; run P()
	:: started == 5 -> break
	od;
	ended == 5
}
