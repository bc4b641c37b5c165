/*
 * A farmer, a wolf, a goat and a cabbage want to cross a river. The boat takes the
 * farmer and one of them; the wolf must not be alone with the goat, nor the goat with
 * the cabbage. A puzzle is solved by claiming that it has no solution: the
 * counterexample is one.
 *
 *     gyre river_crossing.pml                `stuck` is violated: read how they cross
 *     gyre river_crossing.pml -D HUNGRY      holds: no crossing is possible
 *
 * HUNGRY: the wolf eats cabbages, too. Is it a shortest crossing? Ask with --shortest.
 *
 * gyre: expect violated
 * gyre: expect stuck violated
 * gyre: with -D HUNGRY expect holds
 */
bool farmer, wolf, goat, cabbage;            /* true: on the other side */

#ifdef HUNGRY
#define peace(f, w, g, c) ((w != g || f == g) && (g != c || f == g) && (w != c || f == w))
#else
#define peace(f, w, g, c) ((w != g || f == g) && (g != c || f == g))
#endif

active proctype River()
{
end:
    do
    :: d_step { peace(!farmer, wolf, goat, cabbage) -> farmer = !farmer }
    :: d_step { farmer == wolf && peace(!farmer, !wolf, goat, cabbage) -> farmer = !farmer; wolf = !wolf }
    :: d_step { farmer == goat && peace(!farmer, wolf, !goat, cabbage) -> farmer = !farmer; goat = !goat }
    :: d_step { farmer == cabbage && peace(!farmer, wolf, goat, !cabbage) -> farmer = !farmer; cabbage = !cabbage }
    od
}

ltl stuck { [] !(farmer && wolf && goat && cabbage) }
