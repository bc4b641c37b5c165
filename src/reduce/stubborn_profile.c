// Working out stances. See stubborn_profile.h; stubborn.c has the rules.
#include "reduce/stubborn_profile.h"

#include <string.h>

typedef struct making {
    gy_process_classes *classes;
    const gy_process_class *class;
    const gy_process_class_member *member;
    const gy_node *at;
    gy_stubborn_profile *stance;
} making;

// What an edge of the node adds.
typedef enum {
    NOTHING,
    WHO_CONFLICTS,
    WHO_HELPS, // it waits for one thing
    ASK,       // the state, which of several things it waits for
    YOUNGEST,
    EVERYONE,
} role;

// If there is but one thing that an edge that cannot fire can be waiting for, it waits for that;
// next to an escape it may also be held up by that.
static role role_of(const making *m, int32_t position, const gy_edge_view *view)
{
    uint32_t kind = m->stance->kind;
    if (position < 64 && m->stance->enabled >> position & 1)
        return view->visible ? EVERYONE : WHO_CONFLICTS;
    if ((view->needs_timeout && !view->may_fail) ||
        (view->is_else && kind & GY_STUBBORN_PROFILE_MOVES))
        return NOTHING;
    if (view->is_end && !(kind & GY_MEMBER_YOUNGEST))
        return YOUNGEST;
    if (view->wait_count == 1 && !view->always && !m->member->escapes)
        return WHO_HELPS;
    return view->wait_count ? ASK : NOTHING;
}

static uint32_t edge_at(const making *m, int32_t position)
{
    return (uint32_t)(m->at->first_edge + position - m->member->first_edge);
}

// ---- a new one ------------------------------------------------------------------------

static void begin(making *m, uint64_t enabled, uint32_t kind)
{
    gy_arena *arena = gy_process_classes_arena(m->classes);
    gy_stubborn_profile *stance = m->stance = GY_NEW(arena, gy_stubborn_profile);
    stance->enabled = enabled;
    stance->kind = kind;
    stance->set_count = 1;
    stance->everyone =
        gy_reads_last(gy_process_classes_reduction(m->classes), m->member->instance->tmpl,
                      (int32_t)(m->at - m->member->nodes));
    stance->open = GY_NEW_ARRAY(arena, gy_stubborn_profile_edge, m->at->edge_count + 1);
    for (int32_t k = 0; k < m->at->edge_count; k++) {
        const gy_edge_view *view = &m->member->instance->edges[edge_at(m, k)];
        role what = role_of(m, k, view);
        stance->everyone |= what == EVERYONE;
        stance->youngest |= what == YOUNGEST;
        if (what != ASK)
            continue;
        stance->open[stance->edge_count++] = (gy_stubborn_profile_edge){view, stance->set_count};
        stance->set_count += view->wait_count;
    }
}

// ---- what it says of an instance --------------------------------------------------------

static uint64_t *set_at(const gy_stubborn_profile *stance, uint32_t set)
{
    return stance->sets + (size_t)set * stance->words;
}

static void make_room(const making *m, const gy_instance *other)
{
    gy_stubborn_profile *stance = m->stance;
    uint32_t words = gy_bits_words(other->point + other->node_count), had = stance->words;
    const uint64_t *old = stance->sets;
    if (words <= had)
        return;
    stance->words = words > had * 2 ? words : had * 2;
    stance->sets = GY_NEW_ARRAY(gy_process_classes_arena(m->classes), uint64_t,
                                (size_t)stance->set_count * stance->words);
    for (uint32_t set = 0; had && set < stance->set_count; set++)
        memcpy(set_at(stance, set), old + (size_t)set * had, had * sizeof *old);
}

static void add_row(const making *m, uint32_t edge, uint32_t which, const gy_instance *other,
                    uint64_t *set)
{
    const uint64_t *nodes =
        gy_process_classes_row(m->classes, m->member->instance, edge, which, other);
    for (uint32_t n = 0; nodes && n < other->node_count; n++)
        if (gy_bits_has(nodes, n))
            gy_bits_add(set, other->point + n);
}

static void add_instance(const making *m, const gy_instance *other)
{
    const gy_stubborn_profile *stance = m->stance;
    uint32_t set = 1;
    make_room(m, other);
    for (int32_t k = 0; k < m->at->edge_count; k++) {
        uint32_t edge = edge_at(m, k);
        const gy_edge_view *view = &m->member->instance->edges[edge];
        role what = role_of(m, k, view);
        if (view->always)
            add_row(m, edge, GY_ROW_ALWAYS, other, stance->sets);
        if (what == WHO_CONFLICTS)
            add_row(m, edge, GY_ROW_CONFLICTS, other, stance->sets);
        else if (what == WHO_HELPS)
            add_row(m, edge, GY_ROW_WAITS, other, stance->sets);
        for (uint32_t w = 0; what == ASK && w < view->wait_count; w++)
            add_row(m, edge, GY_ROW_WAITS + w, other, set_at(stance, set++));
    }
}

// Do the answers say nothing that is not said already?
static bool is_covered(const gy_stubborn_profile *stance, const gy_stubborn_profile_edge *edge)
{
    uint64_t more = 0;
    for (uint32_t i = 0; i < edge->view->wait_count; i++)
        for (uint32_t w = 0; w < stance->words; w++)
            more |= set_at(stance, edge->first_set + i)[w] & ~stance->sets[w];
    return !more;
}

// Those that count come first.
static void part_edges(gy_stubborn_profile *stance)
{
    stance->open_count = 0;
    for (uint32_t i = 0; i < stance->edge_count; i++) {
        gy_stubborn_profile_edge edge = stance->open[i];
        if (is_covered(stance, &edge))
            continue;
        stance->open[i] = stance->open[stance->open_count];
        stance->open[stance->open_count++] = edge;
    }
}

// Its own instance is another's too only if it has twins.
static void add_crew(const making *m)
{
    gy_stubborn_profile *stance = m->stance;
    for (uint32_t pid = 0; pid < m->class->count; pid++) {
        const gy_instance *other = m->class->members[pid].instance;
        if (gy_bits_has(stance->known, other->number))
            continue;
        gy_bits_add(stance->known, other->number);
        if (other != m->member->instance || stance->kind & GY_MEMBER_TWIN)
            add_instance(m, other);
        else
            make_room(m, other);
    }
    part_edges(stance);
}

gy_stubborn_profile *gy_stubborn_profile_make(gy_process_classes *classes,
                                              const gy_process_class *class, uint32_t pid,
                                              uint32_t point, uint64_t enabled, bool moves)
{
    const gy_process_class_member *member = &class->members[pid];
    const gy_stubborn_profile_file *file = gy_process_classes_stances(classes);
    making m = {.classes = classes, .class = class, .member = member};
    m.at = &member->nodes[point - member->point];
    m.stance = gy_stubborn_profile_find(file, member, point, enabled, moves);
    if (!m.stance) {
        begin(&m, enabled, member->kind | (moves ? GY_STUBBORN_PROFILE_MOVES : 0));
        gy_stubborn_profile **slot = &file->first[gy_stubborn_profile_slot(point, enabled)];
        m.stance->next = *slot;
        *slot = m.stance;
    }
    add_crew(&m);
    return m.stance;
}

// ---- views ------------------------------------------------------------------------------

static gy_stubborn_profile_view view_of(const gy_process_class *class, const uint64_t *points)
{
    gy_stubborn_profile_view view = {0};
    for (uint32_t other = 0; other < class->count; other++) {
        const gy_instance *instance = class->members[other].instance;
        uint32_t nodes = 0;
        for (uint32_t n = 0; n < instance->node_count; n++)
            nodes += gy_bits_has(points, instance->point + n);
        if (nodes == instance->node_count)
            view.surely |= (uint64_t)1 << other;
        else if (nodes)
            view.perhaps |= (uint64_t)1 << other;
    }
    return view;
}

void gy_stubborn_profile_view_by(gy_process_classes *classes, const gy_process_class *class,
                                 gy_stubborn_profile *stance)
{
    if (!stance->views)
        stance->views = GY_NEW_ARRAY(gy_process_classes_arena(classes), gy_stubborn_profile_view,
                                     stance->set_count);
    for (uint32_t set = 1; set < stance->set_count; set++)
        stance->views[set] = view_of(class, set_at(stance, set));
    stance->view = view_of(class, stance->sets);
    if (stance->youngest)
        stance->view.surely |= (uint64_t)1 << (class->count - 1);
    if (stance->everyone)
        stance->view = (gy_stubborn_profile_view){.surely = ~(uint64_t)0 >> (64 - class->count)};
    stance->viewer = class;
}
