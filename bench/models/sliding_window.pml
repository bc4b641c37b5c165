/* Sliding window protocol with selective repeat: windows of W frames on both sides, sequence
 * numbers modulo 2W, frames and acknowledgements over channels that may lose. A frame carries
 * a payload that counts modulo D, so that loss, duplication or wrong order is noticed.
 *
 * -DW=2     window
 * -DCAP=1   capacity of the channels
 * -DD=3     payloads, prime to 2W
 */
#ifndef W
#define W 2
#endif
#ifndef CAP
#define CAP 1
#endif
#ifndef D
#define D 3
#endif
#define M (2*W)

chan data = [CAP] of { byte, byte };	/* sequence number, payload */
chan ack = [CAP] of { byte };

active proctype sender()
{
	byte base, used, first, k;	/* first: the payload of the frame at base */
	bool acked[M];

	do
	:: used < W ->				/* a new frame */
		data!((base + used) % M), ((first + used) % D);
		used++
	:: k < used ->				/* an old one again, if it needs to be */
		if
		:: !acked[(base + k) % M] -> data!((base + k) % M), ((first + k) % D)
		:: else
		fi;
		k = (k + 1) % W
	:: k > 0 -> k = 0
	:: atomic {
		ack?k ->
		if
		:: (k + M - base) % M < used -> acked[k] = true
		:: else
		fi;
		k = 0 }
		do
		:: used > 0 && acked[base] ->
			d_step { acked[base] = false; base = (base + 1) % M; first = (first + 1) % D; used-- }
		:: else -> break
		od
	od
}

active proctype receiver()
{
	byte base, expected, s, v;
	bool got[M];

	do
	:: data?s, v ->
		if
		:: (s + M - base) % M < W ->
			assert(v == (expected + (s + M - base) % M) % D);
			got[s] = true
		:: else
		fi;
		ack!s;
		d_step { s = 0; v = 0 }
		do
		:: got[base] ->
			d_step { got[base] = false; base = (base + 1) % M; expected = (expected + 1) % D }
		:: else -> break
		od
	od
}

active proctype loss()
{
	do
	:: data?_, _
	:: ack?_
	od
}
