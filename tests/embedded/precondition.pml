// The square brackets must hold whenever the code is reached.
byte x;
active proctype P()
{
    do
    :: x < 3 -> x++
    :: x > 0 -> c_code [now.x != 2] { now.x = 0; }
    od
}
