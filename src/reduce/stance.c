// Working out stances. See stance.h; choose.c has the rules.
#include "reduce/stance.h"

#include <string.h>

enum { MOST_SLOT_BITS = 4 }; // of a node with that many edges or more

typedef struct making {
    gy_crews *crews;
    gy_crew *crew;
    uint32_t pid;
    gy_stance *stance;
    uint64_t *nodes[GY_CREW_LIMIT]; // by process; NULL: none yet
    GY_VEC(uint32_t) open;          // edges, by position in the template
} making;

static uint32_t node_words(const making *m, uint32_t pid)
{
    return gy_bit_words(m->crew->members[pid].node_count);
}

// The nodes of process `pid` that a row of an edge is about; NULL: none.
static const uint64_t *nodes_in_row(const making *m, uint32_t edge, uint32_t which, uint32_t pid)
{
    if (pid == m->pid)
        return NULL;
    return gy_crews_row(m->crews, m->crew->members[m->pid].instance, edge, which,
                        m->crew->members[pid].instance);
}

static void add_row(making *m, uint32_t edge, uint32_t which)
{
    for (uint32_t pid = 0; pid < m->crew->count; pid++) {
        const uint64_t *nodes = nodes_in_row(m, edge, which, pid);
        uint32_t words = node_words(m, pid);
        if (nodes && !m->nodes[pid])
            m->nodes[pid] = gy_alloc_zero(words * sizeof *m->nodes[pid]);
        for (uint32_t w = 0; nodes && w < words; w++)
            m->nodes[pid][w] |= nodes[w];
    }
}

// Does the row say nothing that is not said already?
static bool is_covered(const making *m, uint32_t edge, uint32_t which)
{
    for (uint32_t pid = 0; pid < m->crew->count; pid++) {
        const uint64_t *nodes = nodes_in_row(m, edge, which, pid);
        for (uint32_t w = 0; nodes && w < node_words(m, pid); w++)
            if (nodes[w] & ~(m->nodes[pid] ? m->nodes[pid][w] : 0))
                return false;
    }
    return true;
}

// An edge that can't fire. If there is but one thing that it can be waiting for, it waits for
// that; beside an escape it may also be held up by that.
static void add_disabled(making *m, uint32_t edge, const gy_edge_view *view, bool escapes)
{
    uint32_t youngest = m->crew->count - 1;
    if (view->needs_timeout || (view->is_else && m->stance->moves))
        return;
    if (view->is_end && m->pid != youngest)
        m->stance->surely |= (uint64_t)1 << youngest;
    else if (view->wait_count == 1 && !view->always && !escapes)
        add_row(m, edge, GY_ROW_WAITS);
    else if (view->wait_count)
        gy_vec_push(&m->open, edge);
}

static void drop_covered(making *m, const gy_edge_view *edges)
{
    size_t left = 0;
    for (size_t i = 0; i < m->open.n; i++) {
        uint32_t edge = m->open.at[i];
        bool covered = true;
        for (uint32_t w = 0; w < edges[edge].wait_count && covered; w++)
            covered = is_covered(m, edge, GY_ROW_WAITS + w);
        if (!covered)
            m->open.at[left++] = edge;
    }
    m->open.n = left;
}

static bool is_every_node(const making *m, uint32_t pid)
{
    for (uint32_t n = 0; n < m->crew->members[pid].node_count; n++)
        if (!gy_bit_get(m->nodes[pid], n))
            return false;
    return true;
}

static gy_stance_row keep_row(const making *m, gy_arena *arena, uint32_t edge, uint32_t which)
{
    gy_stance_item items[GY_CREW_LIMIT];
    uint32_t count = 0;
    for (uint32_t pid = 0; pid < m->crew->count; pid++) {
        const uint64_t *nodes = nodes_in_row(m, edge, which, pid);
        if (nodes)
            items[count++] = (gy_stance_item){pid, nodes};
    }
    gy_stance_item *kept = GY_NEW_ARRAY(arena, gy_stance_item, count + 1);
    memcpy(kept, items, count * sizeof *kept);
    return (gy_stance_row){kept, count};
}

static void keep_open(making *m, gy_arena *arena, const gy_edge_view *edges)
{
    gy_stance_edge *open = GY_NEW_ARRAY(arena, gy_stance_edge, m->open.n + 1);
    for (size_t i = 0; i < m->open.n; i++) {
        const gy_edge_view *view = &edges[m->open.at[i]];
        gy_stance_row *rows = GY_NEW_ARRAY(arena, gy_stance_row, view->wait_count);
        for (uint32_t w = 0; w < view->wait_count; w++)
            rows[w] = keep_row(m, arena, m->open.at[i], GY_ROW_WAITS + w);
        open[i] = (gy_stance_edge){view, rows};
    }
    m->stance->open = open;
    m->stance->open_count = (uint32_t)m->open.n;
    gy_vec_free(&m->open);
}

static void keep_others(making *m, gy_arena *arena)
{
    gy_stance *stance = m->stance;
    gy_stance_item items[GY_CREW_LIMIT];
    uint32_t count = 0;
    for (uint32_t pid = 0; pid < m->crew->count; pid++) {
        if (m->nodes[pid] && is_every_node(m, pid))
            stance->surely |= (uint64_t)1 << pid;
        if (m->nodes[pid] && !(stance->surely >> pid & 1)) {
            uint32_t words = node_words(m, pid);
            uint64_t *nodes = GY_NEW_ARRAY(arena, uint64_t, words);
            memcpy(nodes, m->nodes[pid], words * sizeof *nodes);
            items[count++] = (gy_stance_item){pid, nodes};
        }
        free(m->nodes[pid]);
    }
    gy_stance_item *kept = GY_NEW_ARRAY(arena, gy_stance_item, count + 1);
    memcpy(kept, items, count * sizeof *kept);
    stance->others = (gy_stance_row){kept, count};
}

static void file(gy_arena *arena, gy_crew_member *member, uint32_t node, gy_stance *stance)
{
    uint32_t edges = (uint32_t)member->nodes[node].edge_count;
    uint32_t slots = 1u << (edges < MOST_SLOT_BITS ? edges : MOST_SLOT_BITS);
    gy_stances *all = member->stances[node];
    if (!all) {
        all = gy_arena_alloc(arena, sizeof *all + slots * sizeof(gy_stance *));
        all->mask = slots - 1;
        member->stances[node] = all;
    }
    stance->next = all->at[stance->enabled & all->mask];
    all->at[stance->enabled & all->mask] = stance;
}

const gy_stance *gy_stance_make(gy_crews *crews, gy_crew *crew, uint32_t pid, uint32_t node,
                                uint64_t enabled, bool moves)
{
    gy_crew_member *member = &crew->members[pid];
    gy_arena *arena = gy_crews_arena(crews);
    making m = {.crews = crews, .crew = crew, .pid = pid, .stance = GY_NEW(arena, gy_stance)};
    const gy_node *at = &member->nodes[node];
    const gy_edge_view *edges = member->instance->edges;
    m.stance->enabled = enabled;
    m.stance->moves = moves;
    for (int32_t k = 0; k < at->edge_count; k++) {
        uint32_t edge = (uint32_t)(at->first_edge + k - member->first_edge);
        if (edges[edge].always)
            add_row(&m, edge, GY_ROW_ALWAYS);
        if (k >= 64 || !(enabled >> k & 1))
            add_disabled(&m, edge, &edges[edge], member->escapes);
        else if (edges[edge].visible)
            m.stance->surely = ~(uint64_t)0 >> (64 - crew->count);
        else
            add_row(&m, edge, GY_ROW_CONFLICTS);
    }
    drop_covered(&m, edges);
    keep_open(&m, arena, edges);
    keep_others(&m, arena);
    file(arena, member, node, m.stance);
    return m.stance;
}
