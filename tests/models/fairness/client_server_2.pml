// The client/server system of W. Schreiner's lecture, two clients, with a fairness label on the
// server's choice. `assumed` says the same as `served` with the fairness written into the formula.
mtype = { MESSAGE };

chan request[2] = [1] of { mtype };
chan answer[2] = [1] of { mtype };

init
{
    run client(1);
    run client(2);
    run server()
}

proctype client(byte id)
{
    do :: true ->
        request[id-1] ! MESSAGE;
        waits: answer[id-1] ? MESSAGE;
        uses: skip;
        request[id-1] ! MESSAGE
    od
}

proctype server()
{
    unsigned given : 2 = 0;
    unsigned waiting : 2 = 0;
    unsigned sender : 2;

    do :: true ->
        sfair_R: if
        :: request[0] ? MESSAGE ->
            S1: sender = 1
        :: request[1] ? MESSAGE ->
            S2: sender = 2
        fi;

        if
        :: sender == given ->
            if
            :: waiting == 0 ->
                given = 0
            :: else ->
                given = waiting;
                waiting = 0;
                answer[given-1] ! MESSAGE
            fi;
        :: given == 0 ->
            given = sender;
            answer[given-1] ! MESSAGE
        :: else
            waiting = sender
        fi;
    od
}

#define fair1 ([]<> (server[3]@sfair_R && len(request[0]) > 0) -> []<> server[3]@S1)
#define fair2 ([]<> (server[3]@sfair_R && len(request[1]) > 0) -> []<> server[3]@S2)

ltl mutex { [] !(client[1]@uses && client[2]@uses) }
ltl served { [] (client[1]@waits -> <> client[1]@uses) }
ltl assumed { (fair1 && fair2) -> [] (client[1]@waits -> <> client[1]@uses) }
