/*
 * The alternating-bit protocol over channels that lose messages. A bit in each
 * message and each acknowledgement tells a new message from a repeated one.
 * The receiver asserts that numbers arrive in order, none lost, none twice.
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
       :: bit_seen == awaited ->
          assert(number == expected);
          awaited = 1 - awaited;
          expected = (expected + 1) % MAX
       :: else                 /* seen before */
       fi;
       if
       :: to_sender!ack(bit_seen)
       :: skip                 /* the acknowledgement is lost */
       fi
    :: to_receiver?data(_, _)  /* the message is lost */
    od
}
