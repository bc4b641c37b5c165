#include "store/numbered.h"

#include "base/assert.h"
#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

enum { NOTE_BYTES = 4, MOST_IDS = UINT32_MAX - 1 };

struct gy_numbered {
    gy_store *store;
    gy_store_view *view;
    bool gives_back, too_long;
    uint32_t most_words; // of a state
    uint64_t count;
    gy_region refs; // by id, if it gives back
    // given back last:
    gy_ref last;
    const uint32_t *last_state;
    uint32_t last_words;
};

gy_numbered *gy_numbered_new(const gy_store_kind_row *kind, const gy_store_options *options)
{
    gy_store_options own = *options;
    gy_numbered *n = gy_alloc_zero(sizeof *n);
    n->gives_back = kind->traits.gives_back;
    n->most_words = UINT32_MAX; // what is not given back is not kept, either
    if (n->gives_back && kind->traits.most_words)
        n->most_words = kind->traits.most_words;
    own.threads = 1;
    own.once = false;
    own.note_bytes = n->gives_back ? NOTE_BYTES : 0;
    n->last = GY_NO_REF;
    gy_region_init(&n->refs, options->budget);
    n->store = gy_store_new(kind, &own);
    if (!n->store) {
        free(n);
        return NULL;
    }
    n->view = gy_store_view_new(n->store);
    n->view->all_refs = true;
    return n;
}

void gy_numbered_free(gy_numbered *n)
{
    if (!n)
        return;
    gy_store_view_free(n->view);
    gy_store_free(n->store);
    gy_region_free(&n->refs);
    free(n);
}

const gy_store_traits *gy_numbered_traits(const gy_numbered *n)
{
    return gy_store_traits_of(n->store);
}

void gy_numbered_look(const gy_numbered *n, gy_store_figures *figures)
{
    gy_store_look(n->store, figures);
    figures->states = n->count;
}

// ---- entering -------------------------------------------------------------------------

// Where a state differs from the one given back last.
static uint64_t compare(const gy_numbered *n, const uint32_t *state)
{
    uint64_t written = 0;
    uint32_t shift = 0;
    while (n->last_words && (n->last_words - 1) >> shift >= 64)
        shift++;
    for (uint32_t i = 0; i < n->last_words; i++)
        written |= (uint64_t)(state[i] != n->last_state[i]) << (i >> shift);
    return written;
}

static void add(gy_numbered *n, const gy_numbered_entry *entries, uint32_t count)
{
    gy_incoming in[GY_STORE_BATCH];
    gy_store_parent parent = {n->last, count};
    for (uint32_t i = 0; i < count; i++) {
        bool near = n->last != GY_NO_REF && entries[i].words == n->last_words;
        in[i] =
            (gy_incoming){entries[i].state, near ? compare(n, entries[i].state) : GY_INCOMING_ANY,
                          entries[i].words};
    }
    gy_store_add(n->view, &parent, 1, &GY_ARRIVALS(gy_incoming, in));
}

// Whatever is entered gets a number, so that there is one for each before that. False: no memory.
static bool reserve_numbers(gy_numbered *n, uint32_t count)
{
    size_t bytes = (n->count + count) * sizeof(gy_ref);
    return !n->gives_back || (n->count + count <= MOST_IDS &&
                              (bytes <= n->refs.room || gy_region_reserve(&n->refs, bytes)));
}

// Arrival i is new.
static void number(gy_numbered *n, uint32_t i)
{
    if (n->gives_back) {
        ((gy_ref *)n->refs.at)[n->count] = n->view->refs[i];
        gy_store_set_note(n->view, n->view->refs[i], n->count + 1);
    }
    n->count++;
}

static bool enter_under_way(gy_numbered *n)
{
    while (!gy_store_enter(n->view)) {
        gy_store_tell(n->view);
        if (!gy_store_grow(n->store, NULL))
            return false;
    }
    return true;
}

static bool find(const gy_numbered *n, gy_store_view *view, const uint32_t *state, uint32_t words,
                 uint64_t *id)
{
    gy_ref ref;
    if (words > n->most_words || !gy_store_find(view, state, words, &ref))
        return false;
    if (id && n->gives_back)
        *id = gy_store_note(view, ref) - 1;
    return true;
}

// Up to the first that is new: there is no number for it.
static uint32_t find_some(gy_numbered *n, gy_numbered_entry *entries, uint32_t count)
{
    uint32_t done = 0;
    while (done < count &&
           find(n, n->view, entries[done].state, entries[done].words, &entries[done].id))
        done++;
    return done;
}

// Those of a batch. The new ones are numbered in the order of the entries.
static uint32_t enter_some(gy_numbered *n, gy_numbered_entry *entries, uint32_t count)
{
    gy_store_view *view = n->view;
    bool is_new[GY_STORE_BATCH] = {0};
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].words > n->most_words) {
            n->too_long = true;
            count = i;
        }
    if (!count)
        return 0;
    if (!reserve_numbers(n, count))
        return find_some(n, entries, count);
    add(n, entries, count);
    bool fine = enter_under_way(n);
    for (uint32_t k = 0; k < view->fresh_count; k++) {
        is_new[view->fresh[k]] = true;
        if (!fine) // no caller knows of it, but it is there, and may be written to a file
            number(n, view->fresh[k]);
    }
    for (; fine && done < count; done++) {
        if (is_new[done]) {
            entries[done].id = n->count;
            number(n, done);
        } else if (n->gives_back) {
            uint64_t note = gy_store_note(view, view->refs[done]);
            // The same state, later in this batch, may be the one that counts as new.
            for (uint32_t k = done + 1; !note && k < count; k++)
                if (is_new[k] && view->refs[k] == view->refs[done]) {
                    is_new[k] = false;
                    note = n->count + 1;
                    number(n, k);
                }
            entries[done].id = note - 1;
        }
    }
    gy_store_clear(view);
    return done;
}

uint32_t gy_numbered_enter_all(gy_numbered *n, gy_numbered_entry *entries, uint32_t count)
{
    uint32_t done = 0;
    while (done < count) {
        uint32_t some = count - done < GY_STORE_BATCH ? count - done : GY_STORE_BATCH;
        uint32_t entered = enter_some(n, entries + done, some);
        done += entered;
        if (entered < some)
            break;
    }
    return done;
}

gy_store_answer gy_numbered_enter(gy_numbered *n, const uint32_t *state, uint32_t words,
                                  uint64_t *id)
{
    gy_numbered_entry entry = {state, words, 0};
    uint64_t before = n->count;
    if (!enter_some(n, &entry, 1))
        return GY_STORE_FULL;
    *id = entry.id;
    return n->count > before ? GY_STORE_NEW : GY_STORE_FOUND;
}

bool gy_numbered_too_long(const gy_numbered *n)
{
    return n->too_long;
}

bool gy_numbered_find(gy_numbered *n, const uint32_t *state, uint32_t words, uint64_t *id)
{
    return find(n, n->view, state, words, id);
}

struct gy_numbered_reader {
    const gy_numbered *store;
    gy_store_view *view;
};

gy_numbered_reader *gy_numbered_reader_new(gy_numbered *n)
{
    gy_numbered_reader *reader = gy_alloc(sizeof *reader);
    *reader = (gy_numbered_reader){n, gy_store_view_new(n->store)};
    return reader;
}

void gy_numbered_reader_free(gy_numbered_reader *reader)
{
    if (reader)
        gy_store_view_free(reader->view);
    free(reader);
}

bool gy_numbered_reader_find(gy_numbered_reader *reader, const uint32_t *state, uint32_t words,
                             uint64_t *id)
{
    return find(reader->store, reader->view, state, words, id);
}

const uint32_t *gy_numbered_state(gy_numbered *n, uint64_t id, uint32_t *words)
{
    gy_assert(n->gives_back && id < n->count);
    n->last = ((const gy_ref *)n->refs.at)[id];
    n->last_state = gy_store_state(n->view, n->last, words);
    n->last_words = *words;
    return n->last_state;
}

// ---- re-encoding ----------------------------------------------------------------------

bool gy_numbered_unsettled(const gy_numbered *n)
{
    return gy_store_unsettled(n->store);
}

void gy_numbered_settle(gy_numbered *n)
{
    gy_ref *refs = n->refs.at;
    gy_store_tell(n->view);
    if (!gy_store_plan(n->store, NULL))
        return;
    for (uint64_t i = 0; i < n->count; i++)
        refs[i] = gy_store_reencode(n->store, 0, refs[i]);
    gy_store_settle(n->store);
    n->last = GY_NO_REF;
}

// ---- files ----------------------------------------------------------------------------

void gy_numbered_save(gy_numbered *n, gy_writer *writer)
{
    gy_store_tell(n->view);
    gy_store_save(n->store, writer);
    gy_write_u64(writer, n->count);
    if (n->gives_back)
        gy_write_region(writer, &n->refs, n->count * sizeof(gy_ref));
}

// Every id must lead to a state that says so.
bool gy_numbered_load(gy_numbered *n, gy_reader *reader)
{
    gy_store_figures figures;
    if (!gy_store_load(n->store, reader))
        return false;
    n->count = gy_read_u64(reader);
    gy_store_look(n->store, &figures);
    if (!n->gives_back)
        return !gy_reader_failed(reader);
    if (n->count != figures.states || n->count > gy_reader_left(reader) / sizeof(gy_ref) ||
        !gy_read_region(reader, &n->refs) || n->refs.room < n->count * sizeof(gy_ref))
        return false;
    for (uint64_t i = 0; i < n->count; i++) {
        gy_ref ref = ((const gy_ref *)n->refs.at)[i];
        if (!gy_store_holds(n->store, ref) || gy_store_note(n->view, ref) != i + 1)
            return false;
    }
    return true;
}
