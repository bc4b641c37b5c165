/*
 * The alternating-bit protocol over channels that lose messages. A bit in each
 * message and each acknowledgement tells a new message from a repeated one.
 * The receiver asserts that numbers arrive in order, none lost, none twice.
 *
 *     gyre alternating_bit.pml               holds
 *     gyre alternating_bit.pml -D TRUSTING   violated
 *
 * TRUSTING: the receiver does not look at the bit, and takes every message for a new one.
 *
 * gyre: expect holds
 * gyre: with -D TRUSTING expect violated
 */
#define MAX 4

mtype = { data, ack };

chan to_receiver = [1] of { mtype, byte, bit };
chan to_sender = [1] of { mtype, bit };

active proctype Sender()
{
    byte number;
    bit current, answer;

    do
    :: to_receiver!data(number, current);
       if
       :: to_sender?ack(answer) ->
          if
          :: answer == current ->
             current = 1 - current;
             number = (number + 1) % MAX
          :: else              /* an old one: send again */
          fi
       :: timeout              /* lost on the way: send again */
       fi
    od
}

active proctype Receiver()
{
    byte number, expected;
    bit bit_seen, awaited;

    do
    :: to_receiver?data(number, bit_seen) ->
       if
#ifdef TRUSTING
       :: true ->
#else
       :: bit_seen == awaited ->
#endif
          assert(number == expected);
          awaited = 1 - awaited;
          expected = (expected + 1) % MAX
#ifndef TRUSTING
       :: else                 /* seen before */
#endif
       fi;
       if
       :: to_sender!ack(bit_seen)
       :: skip                 /* the acknowledgement is lost */
       fi
    :: to_receiver?data(_, _)  /* the message is lost */
    od
}
