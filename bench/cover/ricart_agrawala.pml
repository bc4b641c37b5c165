/* Ricart and Agrawala: mutual exclusion by permission of all others, with a channel for the request and one
 * for the permission from each process to each other one. Each asks once, with a time stamp of 1 or 2; of equal ones the lower number goes first.
 * With ERROR, a process that waits grants the request of the process before it, whatever the stamps.
 *     gyre bench/cover/ricart_agrawala.pml --cover --ef-sum 'P incs > 1'                                  */
#ifndef N
#define N 5
#endif
#ifndef STAMPS
#define STAMPS 2
#endif
chan to[N * N] = [1] of { byte };    /* requests, with the time stamp */
chan may[N * N] = [1] of { bit };     /* permissions */
#ifdef MONITOR
bool inside[N];
#define INCS inside[_pid - 1]
active proctype monitor()
{
	byte i, together;
	d_step {
		do
		:: i < N -> together = together + inside[i]; i++
		:: else -> break
		od;
		assert(together <= 1)
	}
}
#define ME (_pid - 1)
#else
#define INCS incs
#define ME _pid
#endif
#define TO(i) to[ME * N + (i)]
#define FROM(i) to[(i) * N + ME]
#define PERMIT(i) may[ME * N + (i)]
#define PERMITTED(i) may[(i) * N + ME]

active [N] proctype P()
{
	byte i, stamp = 1, theirs;
	bool deferred[N], incs;
	do
	:: stamp < STAMPS -> stamp++
	:: break
	od;
	do /* ask all */
	:: i < N && i != ME -> TO(i)!stamp; i++
	:: i == ME -> i++
	:: i == N -> break
	od;
	i = 0;
	do /* answer those who are before me */
	:: i < N && i != ME ->
		FROM(i)?theirs;
		if
		:: theirs < stamp || (theirs == stamp && i < ME) -> PERMIT(i)!1
#ifdef ERROR
		:: i == ME - 1 && !(theirs < stamp || (theirs == stamp && i < ME)) -> PERMIT(i)!1
		:: i != ME - 1 && !(theirs < stamp || (theirs == stamp && i < ME)) -> deferred[i] = true
#else
		:: !(theirs < stamp || (theirs == stamp && i < ME)) -> deferred[i] = true
#endif
		fi;
		theirs = 0;
		i++
	:: i == ME -> i++
	:: i == N -> break
	od;
	i = 0;
	do /* wait for all answers */
	:: i < N && i != ME -> PERMITTED(i)?_; i++
	:: i == ME -> i++
	:: i == N -> break
	od;
	INCS = true;
	INCS = false;
	i = 0;
	do
	:: i < N && deferred[i] -> PERMIT(i)!1; i++
	:: i < N && !deferred[i] -> i++
	:: i == N -> break
	od
}
