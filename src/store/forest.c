#include "store/forest.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

enum { TELL_EVERY = 64, FIRST_PLAN = 1 << 15, HOSTILE_PLAN = 100 };

// ---- woods ----------------------------------------------------------------------------

static gy_wood *wood_at(const gy_forest *forest, uint32_t number)
{
    return atomic_load_explicit(&forest->woods[number], memory_order_acquire);
}

static uint32_t count_woods(const gy_forest *forest)
{
    return atomic_load_explicit(&forest->wood_count, memory_order_acquire);
}

static gy_wood *new_wood(gy_forest *forest, uint32_t words)
{
    gy_wood *wood = gy_alloc_zero(sizeof *wood);
    wood->words = words;
    wood->coder = gy_coder_new(gy_tree_layout_balanced(words), forest->budget, forest->hostile);
    wood->coder->room_wanted = &forest->room_wanted;
    gy_cleary_init(&wood->roots, forest->budget, forest->alone, forest->hostile);
    return wood;
}

static bool seek_wood(const gy_forest *forest, uint32_t words, uint32_t *number)
{
    uint32_t count = count_woods(forest);
    for (uint32_t i = 0; i < count; i++)
        if (wood_at(forest, i)->words == words) {
            *number = i;
            return true;
        }
    return false;
}

// The number of the wood for that length, which may be new; GY_MOST_WOODS: there are too many.
static uint32_t wood_for(gy_forest *forest, uint32_t words)
{
    uint32_t number;
    if (seek_wood(forest, words, &number))
        return number;
    pthread_mutex_lock(&forest->lock);
    if (!seek_wood(forest, words, &number)) {
        number = count_woods(forest);
        if (number < GY_MOST_WOODS) {
            gy_wood *wood = new_wood(forest, words);
            atomic_store_explicit(&forest->woods[number], wood, memory_order_release);
            atomic_store_explicit(&forest->wood_count, number + 1, memory_order_release);
        }
    }
    pthread_mutex_unlock(&forest->lock);
    return number;
}

gy_forest *gy_forest_new(gy_budget *budget, bool alone, bool hostile)
{
    gy_forest *forest = gy_alloc_zero(sizeof *forest);
    forest->budget = budget;
    forest->alone = alone;
    forest->hostile = hostile;
    forest->plan_at = hostile ? HOSTILE_PLAN : FIRST_PLAN;
    forest->woods = gy_alloc_zero(GY_MOST_WOODS * sizeof *forest->woods);
    pthread_mutex_init(&forest->lock, NULL);
    return forest;
}

void gy_forest_free(gy_forest *forest)
{
    if (!forest)
        return;
    for (uint32_t i = 0; i < count_woods(forest); i++) {
        gy_wood *wood = wood_at(forest, i);
        gy_coder_free(wood->coder);
        gy_cleary_free(&wood->roots);
        free(wood);
    }
    pthread_mutex_destroy(&forest->lock);
    free(forest->woods);
    free(forest);
}

uint64_t gy_forest_count(const gy_forest *forest)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < count_woods(forest); i++)
        count += atomic_load_explicit(&wood_at(forest, i)->roots.count, memory_order_relaxed);
    return count;
}

// ---- views ----------------------------------------------------------------------------

void gy_forest_view_init(gy_forest_view *view, gy_forest *forest)
{
    *view = (gy_forest_view){.forest = forest, .generation = forest->generation};
}

static void drop_bases(gy_forest_view *view)
{
    for (size_t i = 0; i < view->bases.n; i++)
        gy_coder_base_free(&view->bases.at[i]);
    view->bases.n = 0;
    view->current = NULL;
    gy_pending_free(&view->pending);
    view->pending_wood = NULL;
    for (size_t i = 0; i < view->lanes.n; i++)
        if (view->lanes.at[i]) {
            gy_flat_free(&view->lanes.at[i]->flat);
            free(view->lanes.at[i]);
        }
    view->lanes.n = 0;
}

void gy_forest_view_free(gy_forest_view *view)
{
    drop_bases(view);
    gy_vec_free(&view->bases);
    gy_vec_free(&view->lanes);
    gy_vec_free(&view->entered);
}

// What a view knows is of no use when names have changed.
static void keep_up(gy_forest_view *view)
{
    if (__builtin_expect(view->generation != view->forest->generation, 0)) {
        drop_bases(view);
        view->generation = view->forest->generation;
    }
}

// The view's base for a wood. Bases move when new ones are made, so `current_base` follows.
static gy_coder_base *base_for(gy_forest_view *view, gy_wood *wood, uint32_t number)
{
    keep_up(view);
    while (view->bases.n <= number)
        gy_vec_push(&view->bases, (gy_coder_base){0});
    gy_coder_base *base = &view->bases.at[number];
    if (!base->words)
        gy_coder_base_init(base, wood->coder);
    return base;
}

// The wood for a length, and its number, remembered per view.
static gy_wood *find_wood(gy_forest_view *view, uint32_t words, uint32_t *number)
{
    uint32_t i = words % GY_FOREST_RECENT;
    if (!view->recent[i].wood || view->recent[i].wood->words != words) {
        *number = wood_for(view->forest, words);
        if (*number == GY_MOST_WOODS)
            return NULL;
        view->recent[i].wood = wood_at(view->forest, *number);
        view->recent[i].number = *number;
    }
    *number = view->recent[i].number;
    return view->recent[i].wood;
}

// ---- states ---------------------------------------------------------------------------

static bool no_room(gy_forest *forest)
{
    atomic_store_explicit(&forest->room_wanted, true, memory_order_relaxed);
    return false;
}

// So many new states of that wood were entered through this view.
static void count_in(gy_forest_view *view, gy_wood *wood, uint32_t n)
{
    uint32_t number = view->current_number;
    if (wood != view->current)
        find_wood(view, wood->words, &number);
    while (view->entered.n <= number)
        gy_vec_push(&view->entered, 0);
    uint64_t *entered = &view->entered.at[number];
    *entered += n;
    if (*entered < TELL_EVERY)
        return;
    uint64_t count =
        atomic_fetch_add_explicit(&wood->roots.count, *entered, memory_order_relaxed) + *entered;
    *entered = 0;
    if (count >= wood->roots.wanted)
        no_room(view->forest);
}

void gy_forest_count_in(gy_forest_view *view, gy_wood *wood)
{
    count_in(view, wood, 1);
}

bool gy_forest_name(gy_forest_view *view, const uint32_t *state, uint32_t words,
                    gy_arrival *arrival)
{
    gy_wood *wood = view->current;
    bool fine;
    if (wood && wood->words == words) {
        fine = gy_coder_name(wood->coder, view->current_base, state, false, arrival->name);
    } else {
        uint32_t number;
        wood = find_wood(view, words, &number);
        if (!wood)
            return no_room(view->forest);
        gy_coder_base *base = base_for(view, wood, number);
        if (view->current) // the bases may have moved
            view->current_base = &view->bases.at[view->current_number];
        fine = gy_coder_name(wood->coder, base, state, true, arrival->name);
    }
    arrival->wood = wood;
    if (!fine || !gy_cleary_fits(&wood->roots, arrival->name[0], arrival->name[1]))
        return no_room(view->forest);
    gy_forest_look_up(arrival);
    return true;
}

bool gy_forest_put_aside(gy_forest_view *view, const uint32_t *state, uint32_t words,
                         uint64_t written)
{
    gy_wood *wood = view->current;
    if (words != wood->words || written == UINT64_MAX)
        return false;
    if (view->pending_wood != wood) {
        if (view->pending.n || !gy_coder_can_wait(wood->coder))
            return false;
        gy_pending_free(&view->pending);
        gy_pending_init(&view->pending, wood->coder);
        view->pending_wood = wood;
    }
    gy_coder_put_aside(wood->coder, view->current_base, state, written, &view->pending);
    return true;
}

bool gy_forest_name_pending(gy_forest_view *view, gy_arrival *arrivals)
{
    gy_wood *wood = view->pending_wood;
    const gy_pending *pending = &view->pending;
    if (!pending->n)
        return true;
    if (!gy_coder_number_pending(wood->coder, &view->pending) ||
        !gy_cleary_fits(&wood->roots, (uint32_t)gy_coder_numbers(wood->coder, 0) - 1,
                        (uint32_t)gy_coder_numbers(wood->coder, 1) - 1))
        return no_room(view->forest);
    for (uint32_t i = 0; i < pending->n; i++) {
        arrivals[i].wood = wood;
        gy_pending_name(wood->coder, pending, i, arrivals[i].name);
        gy_forest_look_up(&arrivals[i]);
    }
    return true;
}

gy_lane *gy_forest_lane(gy_forest_view *view, uint32_t words)
{
    uint32_t number;
    gy_wood *wood = find_wood(view, words, &number);
    keep_up(view);
    if (!wood || !wood->coder->flat)
        return NULL;
    while (view->lanes.n <= number)
        gy_vec_push(&view->lanes, NULL);
    gy_lane **lane = &view->lanes.at[number];
    if (!*lane) {
        *lane = gy_alloc_apart(sizeof **lane);
        (*lane)->wood = wood;
        gy_flat_init(&(*lane)->flat, wood->coder);
    }
    return *lane;
}

bool gy_forest_enter_lane(gy_forest_view *view, gy_lane *lane, uint32_t *fresh, uint32_t *n)
{
    gy_wood *wood = lane->wood;
    gy_cleary *roots = &wood->roots;
    gy_flat *flat = &lane->flat;
    gy_cleary_key keys[GY_FLAT_MOST];
    uint32_t i = flat->entered, end = flat->n, before = *n;
    if (!gy_flat_number(flat, wood->coder) ||
        !gy_cleary_fits(roots, (uint32_t)gy_coder_numbers(wood->coder, 0) - 1,
                        (uint32_t)gy_coder_numbers(wood->coder, 1) - 1))
        return no_room(view->forest);
    const gy_cleary_table table = roots->now; // a copy: in registers
    for (uint32_t k = i; k < end; k++) {
        keys[k] = gy_cleary_key_in(&table, flat->numbers[0][k], flat->numbers[1][k]);
        gy_fetch_to_write((const char *)table.slots.at + keys[k].line * GY_CLEARY_LINE);
    }
    for (; i < end; i++) {
        gy_cleary_answer answer = gy_cleary_enter(roots, &keys[i]);
        if (answer == GY_CLEARY_NEW)
            fresh[(*n)++] = i;
        else if (__builtin_expect(answer == GY_CLEARY_NO_ROOM, 0))
            break;
    }
    flat->entered = i;
    count_in(view, wood, *n - before);
    return i == end ? true : no_room(view->forest);
}

const uint32_t *gy_forest_spell(gy_forest_view *view, gy_wood *wood, const uint32_t name[2])
{
    if (view->current != wood || view->generation != view->forest->generation) {
        find_wood(view, wood->words, &view->current_number);
        view->current_base = base_for(view, wood, view->current_number);
        view->current = wood;
    }
    gy_coder_unfold(wood->coder, view->current_base, name);
    return view->current_base->words;
}

// ---- growth ---------------------------------------------------------------------------

void gy_forest_note(gy_forest_view *view)
{
    for (uint32_t i = 0; i < view->entered.n; i++) {
        atomic_fetch_add_explicit(&wood_at(view->forest, i)->roots.count, view->entered.at[i],
                                  memory_order_relaxed);
        view->entered.at[i] = 0;
    }
}

bool gy_forest_grow(gy_forest *forest, gy_team *team)
{
    atomic_store_explicit(&forest->room_wanted, false, memory_order_relaxed);
    for (uint32_t i = 0; i < count_woods(forest); i++) {
        gy_wood *wood = wood_at(forest, i);
        if (!gy_coder_make_room(wood->coder, team))
            return false;
        enum { MUCH = 3 }; // bytes per state, for nodes
        uint64_t count = atomic_load_explicit(&wood->roots.count, memory_order_relaxed);
        wood->roots.thrifty = gy_coder_bytes(wood->coder) > MUCH * count;
        uint64_t left = gy_coder_numbers(wood->coder, 0), right = gy_coder_numbers(wood->coder, 1);
        if (gy_cleary_wants_room(&wood->roots, left, right) &&
            !gy_cleary_grow(&wood->roots, left, right, team))
            return false;
    }
    return count_woods(forest) < GY_MOST_WOODS;
}
