// what: readers and writers with counters in atomic steps
byte readers, writers;
active [3] proctype Reader()
{
	do
	:: atomic { writers == 0 -> readers++ };
		assert(writers == 0);
		readers--
	od
}
active [2] proctype Writer()
{
	do
	:: atomic { readers == 0 && writers == 0 -> writers++ };
		assert(readers == 0 && writers == 1);
		writers--
	od
}
