/* The bounded retransmission protocol: a file of LEN chunks is sent over a line that loses
 * frames and acknowledgements; each chunk is sent at most MAX+1 times, then the transfer is
 * given up. The sender's client learns ok, not ok or don't know; the receiver's sees first,
 * middle and last chunks.
 *
 * -DLEN=3   chunks
 * -DMAX=2   retries
 * -DLINES=2 transfers side by side
 */
#ifndef LEN
#define LEN 3
#endif
#ifndef MAX
#define MAX 2
#endif
#ifndef LINES
#define LINES 2
#endif

mtype = { ok, not_ok, dont_know, first, middle, final, none };

chan frame[LINES] = [1] of { byte, byte, byte };	/* first?, last?, alternating bit */
chan ack[LINES] = [1] of { byte };
mtype told[LINES] = none, heard[LINES] = none;
bool lost[LINES], over[LINES];

proctype sender(byte l)
{
	byte i, tries, ab;

	do
	:: told[l] = none; i = 1;
		do
		:: i <= LEN ->
			tries = 0;
again:			frame[l]!(i == 1), (i == LEN), ab;
			if
			:: ack[l]?_ -> ab = 1 - ab; i++
			:: lost[l] ->		/* the timer runs out */
				lost[l] = false;
				if
				:: tries < MAX -> tries++; goto again
				:: tries == MAX -> break
				fi
			fi
		:: i > LEN -> break
		od;
		if
		:: i > LEN -> told[l] = ok
		:: i == LEN -> told[l] = dont_know
		:: i < LEN -> told[l] = not_ok
		fi;
		over[l] = true;			/* tell the receiver to start afresh */
		!over[l];
		ab = 0
	od
}

proctype line(byte l)
{
	do
	:: frame[l]?_, _, _ -> lost[l] = true
	:: ack[l]?_ -> lost[l] = true
	od
}

proctype receiver(byte l)
{
	byte f, e, b, want;
	do
	:: frame[l]?f, e, b ->
		if
		:: b == want ->
			if
			:: e -> heard[l] = final
			:: f && !e -> heard[l] = first
			:: else -> heard[l] = middle
			fi;
			want = 1 - want
		:: else
		fi;
		ack[l]!b
	:: over[l] ->
		assert(told[l] != ok || heard[l] == final);
		assert(told[l] != not_ok || heard[l] != final);
		heard[l] = none; want = 0;
		over[l] = false
	od
}

init {
	byte i;
	atomic {
		do
		:: i < LINES -> run sender(i); run line(i); run receiver(i); i++
		:: else -> break
		od
	}
}
