// Two producers and a consumer with a queue between them: a system that is no MODEL and says all
// that an object can say of itself. test_toy.py counts the same system on its own, and gives
//
//     -DSLOTS=…   of the queue
//     -DHASTY=1   a producer looks for room, and puts its item later: there may be none left
//     -DTIRED=1   the consumer may go home
//     -DSEEN=…    the consumer counts the items that it has handled, up to so many: more states
//
// A state: the length of the queue, its slots, what each producer does, what the consumer does, the
// count.
#include <gyre/gyre.h>

#include <stdio.h>
#include <string.h>

enum { LENGTH, SLOT, PRODUCER = SLOT + SLOTS, CONSUMER = PRODUCER + 2, COUNT, WORDS };
enum { RESTS, HAS_ITEM, SAW_ROOM };     // a producer
enum { IDLE, ITEM_0, ITEM_1, AT_HOME }; // the consumer
enum { MAKE, LOOK, PUT, OF_PRODUCER, TAKE = 2 * OF_PRODUCER, HANDLE, LEAVE, GROUPS }; // steps
enum { FULL = 1, OFTEN }; // faults, by the number that a step gives

static const gy_fault_row faults[] = {
    {"queue-overflow", "QueueOverflow", "An item is put into a full queue.",
     "Look for room and put the item in one step.", 0},
    {"many-items", "ManyItems", "The consumer has handled as many items as it counts.", NULL,
     GY_FAULT_IS_NOTE | GY_FAULT_GOES_ON},
};

typedef struct visitor {
    gy_foreign_emit *emit;
    void *user;
} visitor;

static int initial(void *scratch, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    gy_word start[WORDS] = {0};
    return emit(user, &(gy_foreign_step){.state = start});
}

static int go(const gy_word *next, int process, int edge, uint32_t fault, const visitor *to)
{
    static const char *const words[] = {NULL, "the queue is full: an item is lost", "a long day"};
    return to->emit(to->user, &(gy_foreign_step){.state = fault == FULL ? NULL : next,
                                                 .process = process,
                                                 .edge = edge,
                                                 .fault = words[fault],
                                                 .fault_row = fault});
}

static int produce(const gy_word *state, int who, const visitor *to)
{
    gy_word next[WORDS], *does = &next[PRODUCER + who];
    int edge = OF_PRODUCER * who;
    memcpy(next, state, sizeof next);
    if (*does == RESTS) {
        *does = HAS_ITEM;
        return go(next, who, edge + MAKE, 0, to);
    }
    if (HASTY && *does == HAS_ITEM) {
        *does = SAW_ROOM;
        return state[LENGTH] < SLOTS ? go(next, who, edge + LOOK, 0, to) : 0;
    }
    if (state[LENGTH] == SLOTS)
        return HASTY ? go(next, who, edge + PUT, FULL, to) : 0;
    next[SLOT + next[LENGTH]++] = (gy_word)who + 1;
    *does = RESTS;
    return go(next, who, edge + PUT, 0, to);
}

static int consume(const gy_word *state, const visitor *to)
{
    gy_word next[WORDS], *does = &next[CONSUMER];
    int stop = 0;
    memcpy(next, state, sizeof next);
    if (*does == ITEM_0 || *does == ITEM_1) {
        bool last = state[COUNT] + 1 == SEEN;
        *does = IDLE;
        next[COUNT] += state[COUNT] + 1 <= SEEN;
        return go(next, 2, HANDLE, last ? OFTEN : 0, to);
    }
    if (*does == IDLE && state[LENGTH]) {
        *does = state[SLOT];
        memmove(&next[SLOT], &next[SLOT + 1], (SLOTS - 1) * sizeof *next);
        next[SLOT + SLOTS - 1] = 0;
        next[LENGTH]--;
        stop = go(next, 2, TAKE, 0, to);
    }
    if (!TIRED || stop || state[CONSUMER] != IDLE)
        return stop;
    memcpy(next, state, sizeof next);
    *does = AT_HOME;
    return go(next, 2, LEAVE, 0, to);
}

static int successors(void *scratch, const gy_word *state, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    const visitor to = {emit, user};
    int stop = produce(state, 0, &to);
    if (!stop)
        stop = produce(state, 1, &to);
    return stop ? stop : consume(state, &to);
}

static bool is_end_state(void *scratch, const gy_word *state)
{
    (void)scratch;
    (void)state;
    return false;
}

static void step_text(int32_t process, int32_t edge, char *out, size_t room)
{
    static const char *const produces[] = {"makes an item", "sees room", "puts its item"};
    static const char *const consumes[] = {"takes an item", "is done with it", "goes home"};
    if (edge < TAKE)
        snprintf(out, room, "producer %d %s", process, produces[edge % OF_PRODUCER]);
    else
        snprintf(out, room, "the consumer %s", consumes[edge - TAKE]);
}

static void state_text(const gy_word *state, char *out, size_t room)
{
    static const char *const is[] = {"idle", "at work for 0", "at work for 1", "at home"};
    snprintf(out, room, "length = %u\nproducer 0 = %u\nproducer 1 = %u\nconsumer = %s\n",
             state[LENGTH], state[PRODUCER], state[PRODUCER + 1], is[state[CONSUMER]]);
}

enum { WANTS_0, WANTS_1, SERVED_0, SERVED_1, ROOM, ITEMS, IS_IDLE, PREDICATES };
static const char *const names[] = {"wants0", "wants1", "served0", "served1",
                                    "room",   "items",  "idle"};

static bool holds(void *scratch, const gy_word *state, uint32_t predicate)
{
    (void)scratch;
    const gy_word *producer = &state[PRODUCER], consumer = state[CONSUMER];
    const bool is[] = {producer[0] != RESTS, producer[1] != RESTS,  consumer == ITEM_0,
                       consumer == ITEM_1,   state[LENGTH] < SLOTS, state[LENGTH] != 0,
                       consumer == IDLE};
    return is[predicate];
}

#define OWN (GY_GROUP_TESTS | GY_GROUP_READS | GY_GROUP_MAY_WRITE | GY_GROUP_MUST_WRITE)
#define SOME (GY_GROUP_READS | GY_GROUP_MAY_WRITE)
#define QUEUE [LENGTH] = GY_GROUP_TESTS | SOME, [SLOT... SLOT + SLOTS - 1] = SOME
#define STEPS(first, word)                                                                         \
    [first + MAKE] = {[word] = OWN}, [first + LOOK] = {[word] = OWN, [LENGTH] = GY_GROUP_TESTS},   \
             [first + PUT] = {[word] = OWN, QUEUE}
static const uint8_t access[GROUPS][WORDS] = {
    STEPS(0, PRODUCER),
    STEPS(OF_PRODUCER, PRODUCER + 1),
    [TAKE] = {[CONSUMER] = OWN, QUEUE},
    [HANDLE] = {[CONSUMER] = OWN, [COUNT] = SOME},
    [LEAVE] = {[CONSUMER] = OWN},
};
static const uint8_t reads[PREDICATES][WORDS] = {
    [WANTS_0] = {[PRODUCER] = 1},  [WANTS_1] = {[PRODUCER + 1] = 1}, [SERVED_0] = {[CONSUMER] = 1},
    [SERVED_1] = {[CONSUMER] = 1}, [ROOM] = {[LENGTH] = 1},          [ITEMS] = {[LENGTH] = 1},
    [IS_IDLE] = {[CONSUMER] = 1},
};
static const uint8_t guards[GROUPS][PREDICATES] = {
    [LOOK] = {[WANTS_0] = 1, [ROOM] = 1},
    [PUT] = {[WANTS_0] = 1},
    [OF_PRODUCER + LOOK] = {[WANTS_1] = 1, [ROOM] = 1},
    [OF_PRODUCER + PUT] = {[WANTS_1] = 1},
    [TAKE] = {[IS_IDLE] = 1, [ITEMS] = 1},
    [LEAVE] = {[IS_IDLE] = 1},
};

const struct gy_foreign gyre_system = {
    .abi = GY_ABI_VERSION,
    .name = "queue",
    .words = WORDS,
    .initial = initial,
    .successors = successors,
    .is_end_state = is_end_state,
    .step_text = step_text,
    .state_text = state_text,
    .predicate_count = PREDICATES,
    .predicates = names,
    .holds = holds,
    .group_count = GROUPS,
    .access = &access[0][0],
    .predicate_reads = &reads[0][0],
    .guards = &guards[0][0],
    .fault_count = 2,
    .faults = faults,
};
