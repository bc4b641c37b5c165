/* A shared log in a ring of SIZE ints, so a state is long and a step changes little of it:
 * writers claim an entry, fill it in and publish it; a reader takes entries in order and
 * blanks them.
 *
 * -DSIZE=16    entries (a power of two is not needed)
 * -DWRITERS=3
 * -DWINDOW=4   entries between the reader and the last claim
 */
#ifndef SIZE
#define SIZE 16
#endif
#ifndef WRITERS
#define WRITERS 3
#endif
#ifndef WINDOW
#define WINDOW 4
#endif

int entry[SIZE];
bool ready[SIZE];
short head, tail, open;

active [WRITERS] proctype writer()
{
	short at;
	do
	:: d_step { open < WINDOW; at = head; head = (head + 1) % SIZE; open++ }
		assert(entry[at] == 0 && !ready[at]);
		entry[at] = 1000 + _pid;
		entry[at] = entry[at] + at * 100000;
		ready[at] = true;
		at = 0
	od
}

active proctype reader()
{
	int seen;
	do
	:: ready[tail] ->
		seen = entry[tail];
		assert(seen >= 1000 + tail * 100000 && seen < 1000 + WRITERS + tail * 100000);
		d_step { entry[tail] = 0; ready[tail] = false; seen = 0 }
		d_step { tail = (tail + 1) % SIZE; open-- }
	od
}
