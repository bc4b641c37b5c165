/* Who hears nothing sends again. Acknowledgements may be lost, too. */
chan data = [1] of { byte };
chan acks = [1] of { bit };

active proctype Sender()
{
    byte number;

    do
    :: data!number;
       if
       :: acks?_ -> number = (number + 1) % 4
       :: timeout           /* nothing else can happen: send it again */
       fi
    od
}

active proctype Receiver()
{
    byte got, expected;

    do
    :: data?got;
       assert(got == expected);
       expected = (expected + 1) % 4;
       if
       :: acks!1
       :: skip              /* the acknowledgement is lost */
       fi
    :: data?_               /* the message is lost */
    od
}

/* gyre: expect violated */
