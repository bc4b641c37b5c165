// what: _nr_pr goes down only when the youngest process goes
byte k;
proctype P() { skip }
init
{
	run P(); run P();
	assert(_nr_pr >= 1 && _nr_pr <= 3);
	k = _nr_pr;
	_nr_pr == 1;
	assert(_nr_pr == 1)
}
