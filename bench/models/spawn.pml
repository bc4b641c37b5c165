/* Processes that come and go: a server starts a handler for every request, handlers split their
 * work by starting others, and the number of processes at one time is bounded. Pids are reused
 * as processes end; every handler has a channel of its own.
 *
 * -DCLIENTS=2   clients
 * -DDEPTH=1     how often work is split in two
 * -DLIMIT=6     processes at one time, server and clients included
 */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef DEPTH
#define DEPTH 1
#endif
#ifndef LIMIT
#define LIMIT 6
#endif

chan request = [CLIENTS] of { byte, chan };

proctype handler(byte depth; chan up)
{
	chan down = [2] of { bit };

	if
	:: atomic { depth > 0 && _nr_pr + 2 <= LIMIT ->
			run handler(depth - 1, down);
			run handler(depth - 1, down) }
		down?1;
		down?1
	:: atomic { depth == 0 || _nr_pr + 2 > LIMIT -> skip }
	fi;
	up!1
}

active [CLIENTS] proctype client()
{
	chan reply = [1] of { bit };

end:	do
	:: request!DEPTH, reply;
		reply?1
	od
}

active proctype server()
{
	byte depth;
	chan c;

end:	do
	:: request?depth, c ->
		atomic { _nr_pr < LIMIT -> run handler(depth, c) }
	od
}
