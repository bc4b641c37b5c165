/* A bit tells a new message from an old one that was sent again. */
chan data = [1] of { byte, bit };
chan acks = [1] of { bit };

byte delivered;

active proctype Sender()
{
    byte number;
    bit b, answer;

    do
    :: data!number,b;
       if
       :: acks?answer ->
          if
          :: answer == b -> b = 1 - b; number = (number + 1) % 4
          :: else           /* an old one */
          fi
       :: timeout           /* send it again */
       fi
    od
}

active proctype Receiver()
{
    byte got, expected;
    bit b, awaited;

    do
    :: data?got,b ->
       if
       :: b == awaited ->
          assert(got == expected);
          delivered = got;
          expected = (expected + 1) % 4;
          awaited = 1 - awaited
       :: else              /* seen before */
       fi;
       if
       :: acks!b
       :: skip              /* the acknowledgement is lost */
       fi
    :: data?_,_             /* the message is lost */
    od
}

ltl progress { [] <> (delivered == 3) }

/* gyre: expect violated */
