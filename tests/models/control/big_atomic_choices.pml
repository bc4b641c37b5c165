// what: about ten thousand states out of atomic sequences with choices
byte a[5];
active [5] proctype P()
{
	atomic { if :: a[_pid] = 1 :: a[_pid] = 2 fi; a[_pid] = a[_pid] * 2 };
	d_step { a[_pid] > 2 -> a[_pid] = 0 } unless { a[_pid] == 2 -> a[_pid] = 1 };
	skip
}
