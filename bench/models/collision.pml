/* Collision avoidance on a shared medium: before it sends, a station asks the receiver (RTS)
 * and waits to be cleared (CTS); everyone who hears either keeps silent for that exchange.
 * Requests sent at the same time collide, and both stations back off.
 *
 * -DN=3         stations
 * -DBACKOFF=3   longest waiting time after a collision
 */
#ifndef N
#define N 3
#endif
#ifndef BACKOFF
#define BACKOFF 3
#endif

mtype = { idle, asked, clash, cleared };

mtype medium = idle;
byte talker = N, listener = N;		/* of the exchange in progress */
byte clashing;				/* stations in a collision */
byte sending;

active [N] proctype station()
{
	byte to, wait;

	do
	:: wait > 0 -> wait--
	:: wait == 0 ->
		if				/* to whom? */
		:: to = (_pid + 1) % N
		:: to = (_pid + 2) % N
		fi;
		if
		:: atomic { medium == idle -> medium = asked; talker = _pid; listener = to }
		:: atomic { medium == asked && talker != _pid -> medium = clash; clashing = 2 };
			goto collided
		fi;
		if
		:: medium == cleared && talker == _pid ->
			sending++;
			assert(sending == 1);
			sending--;
			d_step { medium = idle; talker = N; listener = N }
		:: medium == clash ->
collided:		atomic { clashing--;
				if
				:: clashing == 0 -> medium = idle; talker = N; listener = N
				:: else
				fi }
			if
			:: wait = 1
			:: wait = BACKOFF
			fi
		fi;
		to = 0
	:: atomic { medium == asked && listener == _pid -> medium = cleared }
	od
}
