// A shared object that says enough of itself to get formulas and partial-order reduction: four
// philosophers around a table. philosophers.pml is the same system in Promela.
//
//     cc -shared -fPIC -I../../include philosophers.c -o philosophers.so
//     gyre ./philosophers.so                                       finds the deadlock
//     gyre ./philosophers.so --ltl '[] !(eating0 && eating1)'      holds
//     gyre ./philosophers.so --ltl '[] (hungry0 -> <> eating0)'    does not
//
// -DPOLITE: the last philosopher takes the other fork first, and there is no deadlock.
//
// Words 0 to N-1 of a state: is this fork taken? Words N to 2N-1: what the philosopher does. There
// are four groups of steps for each philosopher, one for each thing that is done next. Tables say
// which words a group tests and writes, and under which conditions it has a step: that is all that
// the reduction needs.
#include <gyre/gyre.h>
#include <stdio.h>

enum { N = 4, WORDS = 2 * N, STEPS = 4, GROUPS = N * STEPS };
enum { THINKS, HUNGRY, HAS_ONE, EATS }; // and the step that comes next, by the same number

static uint32_t first_fork(uint32_t who)
{
#ifdef POLITE
    if (who == N - 1)
        return 0;
#endif
    return who;
}

static uint32_t second_fork(uint32_t who)
{
#ifdef POLITE
    if (who == N - 1)
        return who;
#endif
    return (who + 1) % N;
}

static int initial(void *scratch, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    gy_word start[WORDS] = {0};
    return emit(user, &(gy_foreign_step){.state = start});
}

// Does the philosopher's next step. False: a fork is taken.
static bool act(gy_word *state, uint32_t who)
{
    uint32_t first = first_fork(who), second = second_fork(who), next = state[N + who];
    if (next == HUNGRY && state[first]++)
        return false;
    if (next == HAS_ONE && state[second]++)
        return false;
    if (next == EATS)
        state[first] = state[second] = 0;
    state[N + who] = (next + 1) % STEPS;
    return true;
}

static int successors(void *scratch, const gy_word *state, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    for (uint32_t who = N; who-- > 0;) {
        gy_word next[WORDS];
        for (uint32_t w = 0; w < WORDS; w++)
            next[w] = state[w];
        if (!act(next, who))
            continue;
        gy_foreign_step step = {.state = next, .process = (int32_t)who};
        step.edge = (int32_t)(who * STEPS + state[N + who]); // its group
        int stop = emit(user, &step);
        if (stop)
            return stop;
    }
    return 0;
}

static bool is_end_state(void *scratch, const gy_word *state)
{
    (void)scratch;
    (void)state;
    return false; // no process ever terminates
}

static void step_text(int32_t process, int32_t edge, char *out, size_t room)
{
    static const char *const does[STEPS] = {"gets hungry", "takes one fork", "takes the other fork",
                                            "puts both down"};
    snprintf(out, room, "philosopher %d %s", process, does[edge % STEPS]);
}

static void state_text(const gy_word *state, char *out, size_t room)
{
    static const char *const is[] = {"thinks", "is hungry", "has a fork", "eats"};
    int n = 0;
    for (int i = 0; i < N && n >= 0 && (size_t)n < room; i++)
        n += snprintf(out + n, room - (size_t)n, "philosopher %d %s\n", i, is[state[N + i]]);
}

// Predicates 0 to 4N-1: what a philosopher does; then: is a fork free? Formulas use the names; the
// guards of groups are made of them, too.
#define DOES(what) what "0", what "1", what "2", what "3"

static const char *const predicates[] = {DOES("thinking"), DOES("hungry"), DOES("waiting"),
                                         DOES("eating"), DOES("free")};

enum { PREDICATES = 5 * N };

static bool holds(void *scratch, const gy_word *state, uint32_t predicate)
{
    (void)scratch;
    uint32_t who = predicate % N, what = predicate / N;
    return what < STEPS ? state[N + who] == what : !state[who];
}

// Who does something with which word. What a philosopher does next tests what he does now, and
// changes it.
#define OWN(who) [N + (who)] = GY_GROUP_TESTS | GY_GROUP_MUST_WRITE | GY_GROUP_MAY_WRITE
#define TAKES(fork) [fork] = GY_GROUP_TESTS | GY_GROUP_MUST_WRITE | GY_GROUP_MAY_WRITE
#define FREES(fork) [fork] = GY_GROUP_MUST_WRITE | GY_GROUP_MAY_WRITE
#define PHILOSOPHER(who, first, second)                                                            \
    [(who)*STEPS + THINKS] = {OWN(who)}, [(who)*STEPS + HUNGRY] = {OWN(who), TAKES(first)},        \
                   [(who)*STEPS + HAS_ONE] = {OWN(who), TAKES(second)},                            \
                   [(who)*STEPS + EATS] = {OWN(who), FREES(first), FREES(second)}

static const uint8_t access[GROUPS][WORDS] = {
    PHILOSOPHER(0, 0, 1),
    PHILOSOPHER(1, 1, 2),
    PHILOSOPHER(2, 2, 3),
#ifdef POLITE
    PHILOSOPHER(3, 0, 3),
#else
    PHILOSOPHER(3, 3, 0),
#endif
};

#define EACH(first)                                                                                \
    {[first] = 1}, {[(first) + 1] = 1}, {[(first) + 2] = 1},                                       \
    {                                                                                              \
        [(first) + 3] = 1                                                                          \
    }

static const uint8_t predicate_reads[PREDICATES][WORDS] = {EACH(N), EACH(N), EACH(N), EACH(N),
                                                           EACH(0)};

#define AT(who, what) [(what)*N + (who)] = 1
#define FREE(fork) [STEPS * N + (fork)] = 1
#define GUARDS(who, first, second)                                                                 \
    [(who)*STEPS + THINKS] = {AT(who, THINKS)},                                                    \
                   [(who)*STEPS + HUNGRY] = {AT(who, HUNGRY), FREE(first)},                        \
                   [(who)*STEPS + HAS_ONE] = {AT(who, HAS_ONE), FREE(second)},                     \
                   [(who)*STEPS + EATS] = {AT(who, EATS)}

static const uint8_t guards[GROUPS][PREDICATES] = {
    GUARDS(0, 0, 1),
    GUARDS(1, 1, 2),
    GUARDS(2, 2, 3),
#ifdef POLITE
    GUARDS(3, 0, 3),
#else
    GUARDS(3, 3, 0),
#endif
};

const struct gy_foreign gyre_system = {
    .abi = GY_ABI_VERSION,
    .name = "four philosophers",
    .words = WORDS,
    .initial = initial,
    .successors = successors,
    .is_end_state = is_end_state,
    .step_text = step_text,
    .state_text = state_text,
    .predicate_count = PREDICATES,
    .predicates = predicates,
    .holds = holds,
    .group_count = GROUPS,
    .access = access[0],
    .predicate_reads = predicate_reads[0],
    .guards = guards[0],
};
