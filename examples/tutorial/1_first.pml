/* A sender sends numbers, one at a time; a receiver checks that they come in order. */
chan data = [1] of { byte };        /* a channel with room for one message, a byte */
chan acks = [1] of { bit };

active proctype Sender()            /* a process that exists from the start */
{
    byte number;

    do                              /* a loop: repeatedly one of its options */
    :: data!number;                 /* send; blocks while the channel is full */
       acks?_;                      /* receive any message; blocks while there is none */
       number = (number + 1) % 4
    od
}

active proctype Receiver()
{
    byte got, expected;

    do
    :: data?got;
       assert(got == expected);
       expected = (expected + 1) % 4;
       acks!1
    od
}
