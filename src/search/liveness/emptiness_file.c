// A search of emptiness.c in a file. Nothing that is read is believed: what the search takes for
// granted of its lists is examined here.
#include "search/liveness/emptiness_parts.h"

static uint32_t known_nodes(const gy_arc_graph_stack *s)
{
    size_t n = s->numbers.room / sizeof *s->number;
    while (n > 0 && s->number[n - 1] == GY_GRAPH_UNSEEN)
        n--;
    return (uint32_t)n;
}

void gy_arc_graph_stack_save(const gy_arc_graph_stack *s, gy_writer *writer)
{
    uint32_t nodes = known_nodes(s);
    uint64_t head[] = {s->counter, s->result->depth, s->result->cut, s->result->components,
                       nodes,      s->live.n,        s->roots.n,     s->frames.n,
                       s->edges.n};
    gy_write(writer, head, sizeof head);
    gy_write(writer, s->number, nodes * sizeof *s->number);
    gy_write(writer, s->live.at, s->live.n * sizeof *s->live.at);
    for (size_t i = 0; i < s->roots.n; i++) {
        gy_write_u64(writer, s->roots.at[i].number);
        gy_write_u64(writer, s->roots.at[i].entry);
        gy_write_u64(writer, s->roots.at[i].marks);
    }
    for (size_t i = 0; i < s->frames.n; i++) {
        gy_write_u64(writer, s->frames.at[i].node);
        gy_write_u64(writer, s->frames.at[i].first);
        gy_write_u64(writer, s->frames.at[i].next);
        gy_write_u64(writer, s->frames.at[i].depth);
    }
    gy_write(writer, s->edges.at, s->edges.n * sizeof *s->edges.at);
}

// Exactly the live nodes have numbers, each its own.
static bool numbers_fit(const gy_arc_graph_stack *s, uint32_t nodes)
{
    uint64_t numbered = 0;
    uint32_t before = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t number = s->number[i];
        if (number != GY_GRAPH_DEAD && number > s->counter)
            return false;
        numbered += number != GY_GRAPH_DEAD && number != GY_GRAPH_UNSEEN;
    }
    for (size_t i = 0; i < s->live.n; i++) {
        if (s->live.at[i] >= nodes)
            return false;
        uint32_t number = s->number[s->live.at[i]];
        if (number == GY_GRAPH_DEAD || number <= before)
            return false;
        before = number;
    }
    return numbered == s->live.n && s->counter < GY_GRAPH_DEAD;
}

// Components begin at nodes of the path, the first at its beginning, which is the first node that
// is live.
static bool path_fits(const gy_arc_graph_stack *s, uint32_t nodes)
{
    uint32_t before = 0;
    size_t root = 0, edge = 0;
    for (size_t i = 0; i < s->frames.n; i++) {
        const gy_arc_graph_frame *f = &s->frames.at[i];
        uint32_t number = f->node < nodes ? s->number[f->node] : GY_GRAPH_UNSEEN;
        if (number == GY_GRAPH_UNSEEN || number == GY_GRAPH_DEAD || number <= before ||
            f->first < edge || f->next < f->first || f->next > s->edges.n)
            return false;
        before = number;
        edge = f->next;
        if (root < s->roots.n && s->roots.at[root].number == number)
            root++;
        else if (i == 0)
            return false;
    }
    for (size_t i = 0; i < s->edges.n; i++)
        if (s->edges.at[i].to >= nodes)
            return false;
    return root == s->roots.n && (s->frames.n > 0) == (s->live.n > 0) &&
           (!s->frames.n || s->live.at[0] == s->frames.at[0].node);
}

static void read_path(gy_arc_graph_stack *s, gy_reader *reader, uint64_t roots, uint64_t frames)
{
    for (uint64_t i = 0; i < roots && !gy_reader_failed(reader); i++) {
        gy_arc_graph_root root = {.number = (uint32_t)gy_read_u64(reader)};
        root.entry = gy_read_u64(reader);
        root.marks = gy_read_u64(reader);
        gy_vec_push(&s->roots, root);
    }
    for (uint64_t i = 0; i < frames && !gy_reader_failed(reader); i++) {
        gy_arc_graph_frame frame = {.node = (uint32_t)gy_read_u64(reader)};
        frame.first = gy_read_u64(reader);
        frame.next = gy_read_u64(reader);
        frame.depth = gy_read_u64(reader);
        gy_vec_push(&s->frames, frame);
    }
}

bool gy_arc_graph_stack_load(gy_arc_graph_stack *s, gy_reader *reader, uint32_t nodes)
{
    uint64_t head[9];
    if (!gy_read(reader, head, sizeof head) || head[0] >= GY_GRAPH_DEAD || head[4] > nodes ||
        head[5] > gy_reader_left(reader) / sizeof *s->live.at ||
        head[8] > gy_reader_left(reader) / sizeof *s->edges.at ||
        !gy_region_reserve(&s->numbers, ((size_t)nodes + 1) * sizeof *s->number))
        return false;
    s->counter = (uint32_t)head[0];
    s->result->depth = head[1];
    s->result->cut = head[2] != 0;
    s->result->components = (uint32_t)head[3];
    s->number = s->numbers.at;
    gy_vec_reserve(&s->live, head[5] + 1);
    gy_vec_reserve(&s->edges, head[8] + 1);
    if (!gy_read(reader, s->number, head[4] * sizeof *s->number) ||
        !gy_read(reader, s->live.at, head[5] * sizeof *s->live.at))
        return false;
    s->live.n = head[5];
    read_path(s, reader, head[6], head[7]);
    if (!gy_read(reader, s->edges.at, head[8] * sizeof *s->edges.at))
        return false;
    s->edges.n = head[8];
    return numbers_fit(s, nodes) && path_fits(s, nodes);
}
