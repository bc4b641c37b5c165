/* A file of LEN chunks over a line that loses frames and acknowledgements: each chunk is sent until it is
 * acknowledged, at most MAX + 1 times. LINES transfers run side by side, over lines of their own.
 *
 * -DLEN=60  chunks of the first file; the others have SHORT
 * -DSHORT=4
 * -DMAX=3   retries
 * -DLINES=3
 */
#ifndef LEN
#define LEN 60
#endif
#ifndef SHORT
#define SHORT 4
#endif
#ifndef MAX
#define MAX 3
#endif
#ifndef LINES
#define LINES 3
#endif

chan frame[LINES] = [1] of { bit };
chan ack[LINES] = [1] of { bit };
bool lost[LINES];
byte got[LINES];

active [LINES] proctype sender()
{
	byte i, tries;
	bit ab;
	do
	:: i < (_pid == 0 -> LEN : SHORT) ->
		tries = 0;
again:		frame[_pid]!ab;
		if
		:: ack[_pid]?_ -> ab = 1 - ab; i++
		:: lost[_pid] -> lost[_pid] = false;
			if
			:: tries < MAX -> tries++; goto again
			:: tries == MAX -> break
			fi
		fi
	:: else -> break
	od;
	assert(got[_pid] == i || got[_pid] == i + 1)
}

active [LINES] proctype line()
{
	byte l = _pid - LINES;
end:	do
	:: frame[l]?_ -> lost[l] = true
	:: ack[l]?_ -> lost[l] = true
	od
}

active [LINES] proctype receiver()
{
	byte l = _pid - 2 * LINES;
	bit b, want;
end:	do
	:: frame[l]?b ->
		if
		:: b == want -> want = 1 - want; got[l]++
		:: else
		fi;
		ack[l]!b
	od
}
