// Representation: the number of a node is 0 before it is visited, its position in `open`, from 1,
// while it is there, and ~component afterwards. These do not meet: open nodes and components
// together are no more than there are nodes.
#include "base/scc.h"

static void visit(gy_scc *s, uint32_t node)
{
    struct gy_scc_visit first = {node, 0};
    gy_vec_push(&s->open, node);
    s->number[node] = (uint32_t)s->open.n;
    gy_vec_push(&s->roots, s->number[node]);
    gy_vec_push(&s->path, first);
}

// An edge to a node that is open closes a cycle: what lies on it is one component.
static void join(gy_scc *s, uint32_t number)
{
    while (s->roots.at[s->roots.n - 1] > number)
        s->roots.n--;
}

static bool leave(gy_scc *s)
{
    uint32_t node = s->path.at[--s->path.n].node, first = s->number[node];
    if (s->roots.at[s->roots.n - 1] != first)
        return true;
    uint32_t component = s->count++, count = (uint32_t)s->open.n - (first - 1);
    const uint32_t *members = s->open.at + (first - 1);
    for (uint32_t i = 0; i < count; i++)
        s->number[members[i]] = ~component;
    s->roots.n--;
    s->open.n = first - 1;
    return !s->done || s->done(s->self, members, count);
}

bool gy_scc_from(gy_scc *s, uint32_t node)
{
    if (s->number[node])
        return true;
    visit(s, node);
    while (s->path.n > 0) {
        struct gy_scc_visit *top = &s->path.at[s->path.n - 1];
        uint32_t to = s->next(s->self, top->node, top->nth++);
        if (to == GY_SCC_STOP)
            return false;
        if (to == GY_SCC_END) {
            if (!leave(s))
                return false;
        } else if (!s->number[to]) {
            visit(s, to);
        } else if (gy_scc_of(s, to) == GY_SCC_NONE) {
            join(s, s->number[to]);
        }
    }
    return true;
}

void gy_scc_free(gy_scc *s)
{
    gy_vec_free(&s->path);
    gy_vec_free(&s->open);
    gy_vec_free(&s->roots);
}
