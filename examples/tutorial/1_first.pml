/* A sender sends numbers, one at a time; a receiver checks that they come in order. */
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
    od
}
