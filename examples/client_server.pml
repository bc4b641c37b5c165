/* A server hands a resource to one of four clients at a time.
 *
 * A client asks for the resource, waits for the answer, uses the resource and gives it back. The
 * server takes the clients' messages one by one; who asks while the resource is in use has to
 * wait. (After W. Schreiner's lecture on model checking concurrent systems.)
 *
 *     gyre client_server.pml --fairness weak
 *
 * `mutex` and `served` hold. That no client waits for ever needs fairness of two kinds. Every
 * process goes on if it can: --fairness weak. And the server may not overlook a client for ever:
 * the labels sfair_accept and sfair_next make each option of their `if` strongly fair; an option
 * that is enabled infinitely often is executed. With --fairness none `served` is violated.
 *
 * gyre: with --fairness weak expect holds
 * gyre: with --fairness none expect violated
 * gyre: with --fairness none expect served violated
 */
mtype = { MESSAGE }

#define CLIENTS 4
#define NOBODY CLIENTS

chan request[CLIENTS] = [1] of { mtype };
chan answer[CLIENTS] = [1] of { mtype };

active [CLIENTS] proctype client()
{
    do
    :: request[_pid]!MESSAGE;
wait:  answer[_pid]?MESSAGE;
use:   skip;
       request[_pid]!MESSAGE
    od
}

#define ACCEPT(i) request[i]?MESSAGE -> sender = i
#define NEXT(i)   waiting[i] -> given = i; waiting[i] = false; answer[i]!MESSAGE

active proctype server()
{
    bool waiting[CLIENTS];
    byte given = NOBODY, sender;

    do
    :: true ->
sfair_accept:
       if
       :: ACCEPT(0)
       :: ACCEPT(1)
       :: ACCEPT(2)
       :: ACCEPT(3)
       fi;
       if
       :: sender == given ->
sfair_next:
          if
          :: NEXT(0)
          :: NEXT(1)
          :: NEXT(2)
          :: NEXT(3)
          :: else -> given = NOBODY
          fi
       :: sender != given && given == NOBODY -> given = sender; answer[given]!MESSAGE
       :: else -> waiting[sender] = true
       fi
    od
}

ltl mutex {
    [] ((client[0]@use + client[1]@use + client[2]@use + client[3]@use) <= 1)
}

ltl served {
    [] (client[0]@wait -> <> client[0]@use) && [] (client[1]@wait -> <> client[1]@use) &&
    [] (client[2]@wait -> <> client[2]@use) && [] (client[3]@wait -> <> client[3]@use)
}
