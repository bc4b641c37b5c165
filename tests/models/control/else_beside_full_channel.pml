// what: else beside a buffered send is taken only when the channel is full
chan q = [1] of { byte };
byte lost, i, n, got;
active proctype S()
{
	do
	:: i < 3 -> i++;
		if
		:: q!i
		:: else -> lost++
		fi
	:: i == 3 -> break
	od
}
active proctype R() { do :: q?n -> got++ :: timeout -> break od; assert(got + lost == 3 && got > 0) }
