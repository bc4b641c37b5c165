/*
 * Peterson's algorithm: two processes share a critical section, with nothing
 * but reads and writes of three variables. The assertion says that they are
 * never inside together. It holds.
 */
bool wants[2];
byte turn;
byte inside;

active [2] proctype Process()
{
    pid other = 1 - _pid;

again:
    wants[_pid] = true;
    turn = other;
    (!wants[other] || turn == _pid);

    inside++;
    assert(inside == 1);
    inside--;

    wants[_pid] = false;
    goto again
}
