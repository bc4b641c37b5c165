// what: an elevator of four floors never moves with an open door
#define TOP 3
byte floor;
bit door, moving, call[TOP + 1];
active proctype Lift()
{
	bit up = 1;
	do
	:: call[floor] -> d_step { moving = 0; door = 1; call[floor] = 0 }; door = 0
	:: !call[floor] && (call[0] || call[1] || call[2] || call[3]) ->
		moving = 1;
		assert(!door);
		if
		:: up && floor < TOP -> floor++
		:: !up && floor > 0 -> floor--
		:: up && floor == TOP -> up = 0
		:: !up && floor == 0 -> up = 1
		fi;
		moving = 0
	od
}
active proctype Person()
{
	do
	:: call[0] = 1
	:: call[1] = 1
	:: call[2] = 1
	:: call[3] = 1
	od
}
