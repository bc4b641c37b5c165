/* Alternating bit protocol, in both directions at once and over channels that lose and
 * duplicate. Two links, each with a sender, a receiver, and a noisy line for data and
 * acknowledgements.
 *
 * -DLINKS=2   independent links
 * -DCAP=1     capacity of each line
 * -DD=2       payloads count modulo D
 */
#ifndef LINKS
#define LINKS 2
#endif
#ifndef CAP
#define CAP 1
#endif
#ifndef D
#define D 2
#endif

chan data[LINKS] = [CAP] of { byte, byte };
chan ack[LINKS] = [CAP] of { byte };

proctype sender(byte l)
{
	byte bit_, value, a;

	do
	:: data[l]!bit_, value
	:: ack[l]?a ->
		if
		:: a == bit_ -> bit_ = 1 - bit_; value = (value + 1) % D
		:: else
		fi
	od
}

proctype receiver(byte l)
{
	byte want, expected, b, v;

	do
	:: data[l]?b, v ->
		if
		:: b == want -> assert(v == expected); expected = (expected + 1) % D; want = 1 - want
		:: else
		fi;
		ack[l]!(1 - want)
	od
}

proctype noise(byte l)
{
	do
	:: data[l]?_, _
	:: ack[l]?_
	od
}

init {
	byte i;
	atomic {
		do
		:: i < LINKS -> run sender(i); run receiver(i); run noise(i); i++
		:: else -> break
		od
	}
}
