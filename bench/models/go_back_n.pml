/* Go-back-N: the sender keeps up to W frames in flight and sends all of them again on a
 * timeout; the receiver takes frames in order only and acknowledges the last one in order.
 * Both channels may lose.
 *
 * -DW=3     window
 * -DM=4     sequence numbers, more than W
 * -DCAP=3   capacity of the channels
 */
#ifndef W
#define W 3
#endif
#ifndef M
#define M 4
#endif
#ifndef CAP
#define CAP 3
#endif

chan data = [CAP] of { byte, byte };
chan ack = [CAP] of { byte };

active proctype sender()
{
	byte base, sent, made, a, back;

	do
	:: sent < W ->
		data!((base + sent) % M), made % (M+1);
		made = (made + 1) % (M+1);
		sent++
	:: sent > 0 ->			/* time is up: everything again */
		back = 0;
		do
		:: back < sent ->
			data!((base + back) % M), (made + M+1 - sent + back) % (M+1);
			back++
		:: else -> break
		od
	:: ack?a ->
		if
		:: (a + M - base) % M < sent ->
			d_step { sent = sent - ((a + M - base) % M) - 1; base = (a + 1) % M }
		:: else
		fi
	od
}

active proctype receiver()
{
	byte want, s, v, expected;

	do
	:: data?s, v ->
		if
		:: s == want ->
			assert(v == expected);
			d_step { want = (want + 1) % M; expected = (expected + 1) % (M+1) }
		:: else
		fi;
		ack!((want + M - 1) % M)
	od
}

active proctype loss()
{
	do
	:: data?_, _
	:: ack?_
	od
}
