/* Sliding window protocol with selective repeat: sender and receiver windows of W frames,
 * sequence numbers modulo 2W, frames and acknowledgements over channels that may lose. A frame
 * carries the number that the receiver must see, so that wrong order is noticed.
 *
 * -DW=2     window
 * -DCAP=2   capacity of the channels
 * -DLOSS=1  0: no losses
 */
#ifndef W
#define W 2
#endif
#ifndef CAP
#define CAP 2
#endif
#ifndef LOSS
#define LOSS 1
#endif
#define M (2*W)
#define D 5		/* payloads count modulo D */

chan data = [CAP] of { byte, byte };	/* sequence number, payload */
chan ack = [CAP] of { byte };

active proctype sender()
{
	byte base, used, value, a, k;
	byte payload[M];
	bool acked[M];

	do
	:: used < W ->				/* a new frame */
		payload[(base + used) % M] = value;
		data!((base + used) % M), value;
		value = (value + 1) % D;
		used++
	:: used > 0 ->				/* an old one again */
		k = 0;
		do
		:: k < used - 1 -> k++
		:: break
		od;
		if
		:: !acked[(base + k) % M] -> data!((base + k) % M), payload[(base + k) % M]
		:: else
		fi
	:: ack?a ->
		if
		:: (a + M - base) % M < used -> acked[a] = true
		:: else
		fi;
		do
		:: used > 0 && acked[base] ->
			d_step { acked[base] = false; payload[base] = 0; base = (base + 1) % M; used-- }
		:: else -> break
		od
	od
}

active proctype receiver()
{
	byte base, s, v, expected;
	bool got[M];
	byte store[M];

	do
	:: data?s, v ->
		if
		:: (s + M - base) % M < W -> d_step { got[s] = true; store[s] = v }
		:: else
		fi;
		ack!s;
		do
		:: got[base] ->
			assert(store[base] == expected);
			d_step { got[base] = false; store[base] = 0; base = (base + 1) % M; expected = (expected + 1) % D }
		:: else -> break
		od
	od
}

#if LOSS
active proctype loss()
{
	do
	:: data?_, _
	:: ack?_
	od
}
#endif
