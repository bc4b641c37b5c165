// A system that Gyre did not read but was handed: the farmer, the wolf, the goat and the cabbage.
//
//     cc -shared -fPIC -I../../include puzzle.c -o puzzle.so
//     gyre ./puzzle.so
//
// The farmer must bring all three over the river in a boat that holds him and one of them.
// Left alone, the wolf eats the goat and the goat eats the cabbage; such crossings are not made.
// The state in which all are over is declared a fault, so the shortest counterexample is the solution:
// seven crossings.
#include <gyre/gyre.h>
#include <stdio.h>

enum { FARMER, WOLF, GOAT, CABBAGE, ALL = 4, EVERYBODY = (1 << ALL) - 1 };

static const char *const names[ALL] = {"nobody", "the wolf", "the goat", "the cabbage"};

// Bit i of the one word of a state: is i on the far bank?
static bool is_eaten(gy_word at)
{
    gy_word without_farmer = at & (1u << FARMER) ? ~at : at; // who is on the other bank
    bool wolf = without_farmer & (1u << WOLF), goat = without_farmer & (1u << GOAT);
    return goat && (wolf || without_farmer & (1u << CABBAGE));
}

static int initial(void *scratch, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    gy_word start = 0;
    return emit(user, &(gy_foreign_step){.state = &start});
}

static int successors(void *scratch, const gy_word *state, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    gy_word at = *state;
    for (int who = FARMER; who < ALL; who++) {
        gy_word mask = 1u << FARMER | 1u << who;
        if ((at & mask) != 0 && (at & mask) != mask)
            continue; // not on the farmer's bank
        gy_word next = at ^ mask;
        if (is_eaten(next))
            continue;
        gy_foreign_step step = {.state = &next, .process = 0, .edge = who};
        step.fault = next == EVERYBODY ? "everybody is over the river" : NULL;
        int stop = emit(user, &step);
        if (stop)
            return stop;
    }
    return 0;
}

static void step_text(int32_t process, int32_t edge, char *out, size_t room)
{
    (void)process;
    snprintf(out, room, "the farmer crosses with %s", names[edge]);
}

static void state_text(const gy_word *state, char *out, size_t room)
{
    int n = snprintf(out, room, "far bank:");
    for (int i = FARMER; i < ALL && n >= 0 && (size_t)n < room; i++)
        if (*state >> i & 1)
            n += snprintf(out + n, room - (size_t)n, " %s", i == FARMER ? "the farmer" : names[i]);
    if (n >= 0 && (size_t)n + 1 < room)
        snprintf(out + n, room - (size_t)n, "\n");
}

const struct gy_foreign gyre_system = {
    .abi = GY_ABI_VERSION,
    .name = "river crossing",
    .words = 1,
    .initial = initial,
    .successors = successors,
    .step_text = step_text,
    .state_text = state_text,
};
