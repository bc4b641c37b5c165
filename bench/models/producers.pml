/* Producers and consumers over one buffered channel. Items carry their producer and a number;
 * consumers hand them to a checker that knows how many of each producer are under way.
 *
 * -DP=2      producers
 * -DC=2      consumers
 * -DCAP=3    slots of the buffer
 * -DITEMS=2  items are numbered modulo ITEMS
 */
#ifndef P
#define P 2
#endif
#ifndef C
#define C 2
#endif
#ifndef CAP
#define CAP 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

chan buffer = [CAP] of { byte, byte };
chan checked = [1] of { byte };
byte under_way[P];

active [P] proctype producer()
{
	byte n;
	do
	:: under_way[_pid]++;
		buffer!_pid, n;
		n = (n + 1) % ITEMS
	od
}

active [C] proctype consumer()
{
	byte who, n;
	do
	:: buffer?who, n ->
		assert(n < ITEMS);
		n = 0;
		checked!who;
		who = 0
	od
}

active proctype checker()
{
	byte who;
	do
	:: checked?who ->
		assert(under_way[who] > 0 && under_way[who] <= CAP + C + 3);
		under_way[who]--;
		who = 0
	od
}
