byte x;
active proctype P()
{
    do
    :: x < 3 -> x++
    :: x == 3 -> x = 0
    od;
    assert(x == 3)
}
