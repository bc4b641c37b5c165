bool wolf = true, goat = true, cabbage = true, farmer = true; /* on the left bank */

#define eaten(w, g, c, f) (((w) == (g) && (g) != (f)) || ((g) == (c) && (g) != (f)))

active proctype crossing()
{
end:
    do
    :: d_step { !eaten(wolf, goat, cabbage, !farmer) -> farmer = !farmer }
    :: d_step { wolf == farmer && !eaten(!wolf, goat, cabbage, !farmer) -> wolf = !wolf; farmer = !farmer }
    :: d_step { goat == farmer && !eaten(wolf, !goat, cabbage, !farmer) -> goat = !goat; farmer = !farmer }
    :: d_step { cabbage == farmer && !eaten(wolf, goat, !cabbage, !farmer) -> cabbage = !cabbage; farmer = !farmer }
    od
}
ltl invariant1 { [] (farmer || !(wolf && goat) && !(goat && cabbage)) }
ltl ltl1 { ! <> (!wolf && !goat && !cabbage && !farmer) }
