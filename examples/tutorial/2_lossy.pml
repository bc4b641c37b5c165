/* The same, but what is sent may be lost on the way. */
chan data = [1] of { byte };
chan acks = [1] of { bit };

active proctype Sender()
{
    byte number;

    do
    :: data!number;
       acks?_;
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
    :: data?_               /* lost */
    od
}

/* gyre: expect violated */
