/* Readers and writers through a monitor made of three locks, with waiting writers holding
 * back new readers. Many may read, or one write.
 *
 * -DR=3   readers
 * -DWR=2  writers
 */
#ifndef R
#define R 3
#endif
#ifndef WR
#define WR 2
#endif

byte readers, writers, waiting;
bool mutex, turnstile, room;
byte version;			/* what the writers write, modulo 3 */

inline lock(m)   { atomic { !m -> m = true } }
inline unlock(m) { m = false }

active [R] proctype reader()
{
	byte seen;
	do
	:: lock(turnstile);
		unlock(turnstile);
		lock(mutex);
		readers++;
		if
		:: readers == 1 -> lock(room)
		:: else
		fi;
		unlock(mutex);
		seen = version;
		assert(writers == 0);
		assert(seen == version);
		lock(mutex);
		readers--;
		if
		:: readers == 0 -> unlock(room)
		:: else
		fi;
		unlock(mutex)
	od
}

active [WR] proctype writer()
{
	do
	:: waiting++;
		lock(turnstile);
		lock(room);
		waiting--;
		writers++;
		assert(writers == 1 && readers <= 1);
		version = (version + 1) % 3;
		writers--;
		unlock(room);
		unlock(turnstile)
	od
}
