// The tree table in a file: for each length class its coder, its chunks, and the pairs.
#include "store/tree_table.h"

// ---- saving ---------------------------------------------------------------------------

typedef struct saving {
    const gy_cleary *pairs;
    gy_writer *writer;
    uint64_t count; // of pairs; while counting there is no writer
} saving;

static void save_pair(void *user, uint32_t left, uint32_t right)
{
    saving *s = user;
    s->count++;
    if (!s->writer)
        return;
    gy_write_u64(s->writer, (uint64_t)left << 32 | right);
    if (s->pairs->note_bytes) {
        gy_cleary_key key = gy_cleary_key_of(s->pairs, left, right);
        uint64_t position = 0;
        gy_cleary_find(s->pairs, &key, &position);
        gy_write(s->writer, gy_cleary_note(s->pairs, position), s->pairs->note_bytes);
    }
}

static uint64_t each_pair(const gy_length_class *c, gy_writer *writer)
{
    saving s = {.pairs = &c->pairs, .writer = writer};
    for (uint64_t i = 0; i < gy_cleary_pieces(&c->pairs); i++)
        gy_cleary_each(&c->pairs, i, save_pair, &s);
    return s.count;
}

static void save_class(const gy_length_class *c, gy_writer *writer)
{
    gy_write_u64(writer, c->words);
    gy_write_u64(writer, c->planned);
    gy_write_u64(writer, c->planned_count);
    gy_write_u64(writer, c->planned_bytes);
    gy_coder_save(c->coder, writer);
    gy_write_u64(writer, c->chunks.n);
    gy_write(writer, c->chunks.at, c->chunks.n * sizeof *c->chunks.at);
    gy_write_u64(writer, each_pair(c, NULL));
    each_pair(c, writer);
}

void gy_tree_table_save(const gy_store *store, gy_writer *writer)
{
    const gy_tree_table *t = (const gy_tree_table *)store;
    gy_write_u64(writer, t->plan_at);
    gy_write_u64(writer, t->chunk_count);
    gy_write_u64(writer, gy_tree_classes(t));
    for (uint32_t i = 0; i < gy_tree_classes(t); i++)
        save_class(gy_tree_table_class(t, i), writer);
}

// ---- loading --------------------------------------------------------------------------

// The chunks of a class: as many as it needs, and no other's.
static bool load_chunks(gy_tree_table *t, gy_length_class *c, gy_reader *reader)
{
    uint64_t count = gy_read_u64(reader);
    if (gy_reader_failed(reader) || count > t->chunk_count)
        return false;
    c->chunks.n = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t chunk = GY_TREE_CHUNKS;
        gy_read(reader, &chunk, sizeof chunk);
        if (chunk >= t->chunk_count || t->directory[chunk].class)
            return false;
        t->directory[chunk] = (gy_tree_chunk){c->number + 1, i};
        gy_vec_push(&c->chunks, chunk);
    }
    return true;
}

static bool load_pairs(gy_length_class *c, gy_reader *reader)
{
    uint64_t left = gy_coder_numbers(c->coder, 0), right = gy_coder_numbers(c->coder, 1);
    uint64_t count = gy_read_u64(reader), found = 0;
    if (gy_reader_failed(reader) || count > gy_reader_left(reader) / sizeof(uint64_t) ||
        (uint64_t)c->chunks.n << GY_TREE_CHUNK_BITS < left)
        return false;
    atomic_store_explicit(&c->pairs.count, count, memory_order_relaxed);
    if (!gy_cleary_grow(&c->pairs, left, right, NULL))
        return false;
    while (found < count) {
        uint64_t pair = gy_read_u64(reader);
        if (gy_reader_failed(reader) || pair >> 32 >= left || (uint32_t)pair >= right)
            return false;
        gy_cleary_key key;
        gy_cleary_answer answer;
        do {
            key = gy_cleary_key_of(&c->pairs, (uint32_t)(pair >> 32), (uint32_t)pair);
            answer = gy_cleary_enter(&c->pairs, &key);
        } while (answer == GY_CLEARY_NO_ROOM && gy_cleary_grow(&c->pairs, left, right, NULL));
        if (answer != GY_CLEARY_NEW)
            return false;
        if (c->pairs.note_bytes) {
            uint64_t position = 0;
            gy_cleary_find(&c->pairs, &key, &position);
            gy_read(reader, gy_cleary_note(&c->pairs, position), c->pairs.note_bytes);
        }
        found++;
    }
    return true;
}

static bool load_class(gy_tree_table *t, gy_reader *reader)
{
    uint64_t words = gy_read_u64(reader);
    if (gy_reader_failed(reader) || words > UINT32_MAX)
        return false;
    bool planned = gy_read_u64(reader) != 0;
    uint64_t planned_count = gy_read_u64(reader), planned_bytes = gy_read_u64(reader);
    gy_coder *coder = gy_coder_load(reader, t->head.budget, t->head.hostile);
    if (!coder)
        return false;
    gy_length_class *c = coder->shape->words == words ? gy_tree_add_class(t, coder, 0) : NULL;
    if (!c) {
        gy_coder_free(coder);
        return false;
    }
    c->planned = planned;
    c->planned_count = planned_count;
    c->planned_bytes = planned_bytes;
    return load_chunks(t, c, reader) && load_pairs(c, reader);
}

// Chunks that no class has would be of no use: every reference must lead to a class.
static bool all_handed_out(const gy_tree_table *t)
{
    for (uint32_t i = 0; i < t->chunk_count; i++)
        if (!t->directory[i].class)
            return false;
    return true;
}

bool gy_tree_table_load(gy_store *store, gy_reader *reader)
{
    gy_tree_table *t = (gy_tree_table *)store;
    uint64_t plan_at = gy_read_u64(reader), chunks = gy_read_u64(reader);
    uint64_t classes = gy_read_u64(reader);
    if (gy_reader_failed(reader) || chunks > GY_TREE_CHUNKS || classes > GY_TREE_CLASSES ||
        gy_tree_classes(t))
        return false;
    t->plan_at = plan_at;
    t->chunk_count = (uint32_t)chunks;
    for (uint64_t i = 0; i < classes; i++)
        if (!load_class(t, reader))
            return false;
    if (!all_handed_out(t))
        return false;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++) { // its tables may have more room than before
        gy_length_class *c = gy_tree_table_class(t, i);
        if (!gy_tree_reserve_chunks(t, c, gy_coder_most(c->coder, 0)))
            return false;
    }
    return true;
}
