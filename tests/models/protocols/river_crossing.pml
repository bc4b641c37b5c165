// what: the wolf, the goat and the cabbage: the assertion fails when all are across
bit man, wolf, goat, cabbage;
#define SAFE (goat == man || goat != wolf && goat != cabbage)
active proctype Farmer()
{
	do
	:: d_step { man == wolf -> man = 1 - man; wolf = man }; end1: SAFE
	:: d_step { man == goat -> man = 1 - man; goat = man }; end2: SAFE
	:: d_step { man == cabbage -> man = 1 - man; cabbage = man }; end3: SAFE
	:: d_step { man = 1 - man }; end4: SAFE
	:: man && wolf && goat && cabbage -> assert(false); break
	od
}
