/* A lift for FLOORS floors and PEOPLE passengers. A passenger calls it, steps in when the door
 * is open on his floor, presses a button, and steps out there. The controller goes on in its
 * direction while there is a call or a button ahead.
 *
 * -DFLOORS=4
 * -DPEOPLE=2
 */
#ifndef FLOORS
#define FLOORS 4
#endif
#ifndef PEOPLE
#define PEOPLE 2
#endif

bool wanted[FLOORS];
byte at;
bool open, up = true;
byte aboard;

active proctype lift()
{
	byte f;
	bool ahead;

	do
	:: wanted[at] ->
		open = true;
		wanted[at] = false;
		open = false
	:: else ->
		f = 0; ahead = false;
		do
		:: f < FLOORS ->
			if
			:: wanted[f] && ((up && f > at) || (!up && f < at)) -> ahead = true
			:: else
			fi;
			f++
		:: else -> break
		od;
		if
		:: ahead && up -> assert(at < FLOORS - 1); at++
		:: ahead && !up -> assert(at > 0); at--
		:: else -> up = !up
		fi
	od
}

active [PEOPLE] proctype person()
{
	byte here, goal;

	do
	:: if					/* where to? */
		:: here > 0 -> goal = here - 1
		:: here < FLOORS - 1 -> goal = here + 1
		:: here != 0 -> goal = 0
		fi;
		do
		:: open && at == here -> aboard++; break
		:: !open && !wanted[here] -> wanted[here] = true
		od;
		assert(aboard <= PEOPLE);
		do
		:: open && at == goal -> aboard--; break
		:: !wanted[goal] && !(open && at == goal) -> wanted[goal] = true
		od;
		here = goal
	od
}
