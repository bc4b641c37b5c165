// The search over ranks in a directory, between two levels: then nothing is under way.
//
// States are written once. A checkpoint adds a file for each rank with the states that were found
// since the last one, a file with those of the level to be expanded, and one with those of which
// something is known: that they had to be expanded fully after all or, of a product, that an
// accepting arc leads to them. The last two replace those before. A manifest names all files that
// belong together; it is written last, and takes the place of the old one at once. So whatever ends
// the program, at whatever moment, the directory holds a whole checkpoint: the last one or the one
// before. Files that no manifest names are removed.
//
// States are written with their words. Code that goes on, over any number of ranks, shares the
// files out, and sends every state to the rank that it belongs to now. Nothing that is read is
// believed.
//
// Whom fairness is about is known as they are seen to execute. Nodes that were expanded before are
// not expanded again when the search goes on: so the manifest has that, too.
//
// Which rank a state belongs to may have been chosen (owner.h). As many ranks as before go on with
// that; for others it is chosen again, or the hash decides.
//
// A search that was stopped in the middle of a level is written as it was at the level's beginning.
#include "dist/mpi/rank_parts.h"

#include "search/checkpoint.h"

#include "base/clock.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 4, CHUNK = 1 << 16, MOST_CHUNK = 1 << 30 };

enum { FOUND, LEVEL, MARKED, KINDS }; // files

static const char *const kind_names[] = {"found", "level", "marked"};

static const char SUFFIX[] = ".states";

typedef struct manifest_head {
    uint64_t version, model, options;
    uint64_t run; // keeps the files of different runs apart
    uint64_t level, states, transitions, edges, endless, places, files;
    uint64_t ranks, mask_words, masks; // the owner of states
    double seconds;
} manifest_head;

static char *path_in(const char *folder, const char *name)
{
    gy_text path = {0};
    gy_text_printf(&path, "%s/%s", folder, name);
    return gy_text_take(&path);
}

static char *name_of(const gy_rank_file *file)
{
    gy_text name = {0};
    gy_text_printf(&name, "%016llx-%llu-%llu-%s%s", (unsigned long long)file->run,
                   (unsigned long long)file->sequence, (unsigned long long)file->rank,
                   kind_names[file->kind % KINDS], SUFFIX);
    return gy_text_take(&name);
}

// ---- writing: one rank ----------------------------------------------------------------

static void write_chunk(gy_writer *writer, const gy_packer *p)
{
    gy_write_u64(writer, p->bytes.n);
    gy_write_u64(writer, p->count);
    gy_write(writer, p->bytes.at, p->bytes.n);
}

// False, with errno: it could not be written.
static bool write_states(gy_rank_search *s, const gy_rank_file *file, const gy_ref *refs)
{
    char *name = name_of(file), *path = path_in(s->run->options->checkpoint_file, name);
    gy_writer *writer = gy_writer_open(path);
    gy_packer packer = {0};
    gy_write(writer, file, sizeof *file);
    gy_packer_begin(&packer, 0);
    for (uint64_t i = 0; i < file->states; i++) {
        uint32_t words;
        const gy_word *state = gy_store_state(s->members[0].view, refs[i], &words);
        gy_packer_add(&packer, state, words, NULL, 0);
        if (packer.bytes.n >= CHUNK) {
            write_chunk(writer, &packer);
            gy_packer_begin(&packer, 0);
        }
    }
    if (packer.count)
        write_chunk(writer, &packer);
    bool written = gy_writer_commit(writer);
    int error = errno;
    gy_packer_free(&packer);
    free(path);
    free(name);
    errno = error;
    return written;
}

// ---- writing: all ranks ---------------------------------------------------------------

static void add_files(gy_rank_search *s, const gy_rank_file own[KINDS])
{
    gy_transport *t = s->transport;
    gy_rank_files *all = &s->files;
    for (size_t i = 0; i < all->n;) // of the last checkpoint
        if (all->at[i].kind != FOUND)
            all->at[i] = all->at[--all->n];
        else
            i++;
    for (unsigned rank = 0; rank < t->size; rank++) {
        gy_rank_file theirs[KINDS];
        memcpy(theirs, own, sizeof theirs);
        t->broadcast(t, rank, theirs, sizeof theirs);
        for (int i = 0; i < KINDS; i++)
            if (theirs[i].states)
                gy_vec_push(all, theirs[i]);
    }
}

// Whom fairness is about: so many numbers.
static uint32_t place_count(const gy_rank_search *s)
{
    bool fair = s->product && gy_fair_any(&s->product->maker.fair);
    return fair ? gy_fair_places(&s->product->maker.fair) : 0;
}

// Collective: what all ranks know.
static uint64_t *list_places(gy_rank_search *s)
{
    uint32_t n = place_count(s);
    uint64_t *places = gy_alloc_zero((n + (size_t)1) * sizeof *places);
    if (n) {
        gy_fair_tell(&s->product->maker.fair, places);
        s->transport->reduce(s->transport, places, n, GY_TRANSPORT_SUM);
    }
    return places;
}

static bool write_manifest(gy_rank_search *s, const uint64_t *places)
{
    gy_run *run = s->run;
    char *path = path_in(run->options->checkpoint_file, GY_RANKS_MANIFEST);
    gy_writer *writer = gy_writer_open(path);
    manifest_head head = {.version = VERSION,
                          .model = gy_checkpoint_model(run->system, run->worker),
                          .options = gy_checkpoint_options(run),
                          .run = s->run_id,
                          .level = s->boundary.level,
                          .states = s->boundary.states,
                          .transitions = s->boundary.transitions,
                          .edges = run->result->edge_count,
                          .endless = (uint64_t)(int64_t)run->result->endless_edge,
                          .places = place_count(s),
                          .files = s->files.n,
                          .ranks = s->transport->size,
                          .mask_words = s->owner->words,
                          .masks = s->owner->forms,
                          .seconds = gy_clock() - run->started + run->earlier};
    gy_write(writer, &head, sizeof head);
    gy_write(writer, run->result->reached_edges, run->result->edge_count);
    gy_write(writer, places, head.places * sizeof *places);
    gy_write(writer, s->files.at, s->files.n * sizeof *s->files.at);
    gy_write(writer, s->owner->masks, head.masks * head.mask_words * sizeof(gy_word));
    bool written = gy_writer_commit(writer);
    int error = errno;
    free(path);
    errno = error;
    return written;
}

// Is it the name of a file of a checkpoint, whichever that was (*file), or of what a kill left of
// one
// (*left)?
static bool is_ours(const char *name, gy_rank_file *file, bool *left)
{
    unsigned long long run, sequence, rank;
    if (sscanf(name, "%16llx-%llu-%llu-", &run, &sequence, &rank) != 3)
        return false;
    *file = (gy_rank_file){.run = run, .sequence = sequence, .rank = rank};
    for (; file->kind < KINDS; file->kind++) {
        char *own = name_of(file);
        size_t n = strlen(own);
        bool begins = strncmp(own, name, n) == 0;
        free(own);
        *left = begins && !strcmp(name + n, GY_WRITER_TEMPORARY);
        if (*left || (begins && !name[n]))
            return true;
    }
    return false;
}

static bool is_named(const gy_rank_search *s, const gy_rank_file *file)
{
    for (size_t i = 0; i < s->files.n; i++) {
        const gy_rank_file *f = &s->files.at[i];
        if (f->sequence == file->sequence && f->rank == file->rank && f->kind == file->kind &&
            f->run == file->run)
            return true;
    }
    return false;
}

// What no manifest names any more. Whatever else the directory has is not ours.
static void remove_others(const gy_rank_search *s)
{
    const char *folder = s->run->options->checkpoint_file;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        gy_rank_file file;
        bool left;
        if (!is_ours(entry->d_name, &file, &left) || (!left && is_named(s, &file)))
            continue;
        char *path = path_in(folder, entry->d_name), *foreign = gy_writer_obstacle(path);
        if (!foreign)
            unlink(path);
        free(foreign);
        free(path);
    }
    if (dir)
        closedir(dir);
}

// Collective: 0 if all have managed it, else what a rank's errno was.
static int agree_on_error(gy_rank_search *s, bool good, int error)
{
    uint64_t worst = good ? UINT64_MAX : (uint64_t)(error ? error : EIO);
    s->transport->reduce(s->transport, &worst, 1, GY_TRANSPORT_LEAST);
    return worst == UINT64_MAX ? 0 : (int)worst;
}

// Of which something is known. Those of a product are looked for; of others there is a list. False:
// no memory.
static bool list_marked(gy_rank_search *s, gy_region *room, const gy_ref **marked, uint64_t *known)
{
    const gy_ref *nodes = s->nodes.at;
    uint64_t n = 0;
    *known = 0;
    if (!s->product) {
        *marked = s->failed.at;
        *known = s->boundary.failed;
        return true;
    }
    if (s->product->general)
        return true;
    if (!gy_region_reserve(room, s->node_count * sizeof *nodes))
        return false;
    for (uint64_t i = 0; i < s->node_count; i++)
        if (gy_store_note(s->members[0].view, nodes[i]) & GY_RANK_ACCEPTING)
            ((gy_ref *)room->at)[n++] = nodes[i];
    *marked = room->at;
    *known = n;
    return true;
}

void gy_rank_write(gy_rank_search *s)
{
    gy_run *run = s->run;
    // Whatever is being worked on, the current level is what came last.
    const gy_ref *refs = s->unsaved.at, *marked = NULL;
    uint64_t level = s->unsaved_n - s->unsaved_before;
    uint64_t rank = s->transport->rank;
    gy_region room;
    gy_region_init(&room, &run->budget);
    uint64_t known, *places = list_places(s);
    bool good = list_marked(s, &room, &marked, &known);
    gy_rank_file files[KINDS] = {{s->run_id, s->sequence, rank, s->unsaved_before, FOUND},
                                 {s->run_id, s->sequence, rank, level, LEVEL},
                                 {s->run_id, s->sequence, rank, known, MARKED}};
    const gy_ref *lists[KINDS] = {refs, refs + s->unsaved_before, marked};
    gy_rank_agree_on_edges(s);
    errno = good ? 0 : ENOMEM;
    for (int i = 0; i < KINDS && good; i++)
        good = !files[i].states || write_states(s, &files[i], lists[i]);
    int error = agree_on_error(s, good, errno);
    if (!error) {
        add_files(s, files);
        good = rank != 0 || write_manifest(s, places);
        error = agree_on_error(s, good, errno);
    }
    if (!error) { // what is left to be written next time: the level
        if (level)
            memmove(s->unsaved.at, refs + s->unsaved_before, level * sizeof(gy_ref));
        s->unsaved_n -= s->unsaved_before;
        s->unsaved_before = 0;
        if (rank == 0)
            remove_others(s);
        run->result->checkpoints++;
    }
    gy_region_free(&room);
    free(places);
    s->sequence++;
    free(run->result->checkpoint_problem);
    run->result->checkpoint_problem = error ? strdup(strerror(error)) : NULL;
    gy_checkpoint_plan(run);
}

bool gy_rank_keep_unsaved(gy_rank_search *s)
{
    s->unsaved_before = s->unsaved_n;
    for (size_t i = 0; i < s->shares.n; i++) {
        const gy_rank_list *list = &s->shares.at[i]->list;
        if (!gy_region_reserve(&s->unsaved, (s->unsaved_n + list->n) * sizeof(gy_ref)))
            return false;
        if (list->n)
            memcpy((gy_ref *)s->unsaved.at + s->unsaved_n, list->refs.at, list->n * sizeof(gy_ref));
        s->unsaved_n += list->n;
    }
    return true;
}

bool gy_rank_keep_nodes(gy_rank_search *s)
{
    for (size_t i = 0; i < s->shares.n; i++) {
        const gy_rank_list *list = &s->shares.at[i]->list;
        if (!gy_region_reserve(&s->nodes, (s->node_count + list->n) * sizeof(gy_ref)))
            return false;
        if (list->n)
            memcpy((gy_ref *)s->nodes.at + s->node_count, list->refs.at, list->n * sizeof(gy_ref));
        s->node_count += list->n;
    }
    return true;
}

void gy_rank_begin_files(gy_rank_search *s)
{
    uint64_t id = gy_hash_pair((uint64_t)getpid(), (uint64_t)(gy_clock() * 1e9));
    s->transport->broadcast(s->transport, 0, &id, sizeof id);
    s->run_id = id;
}

// ---- reading --------------------------------------------------------------------------

typedef struct manifest {
    manifest_head head;
    gy_rank_files files;
    uint8_t *edges;
    uint64_t *places;
    gy_word *masks;
} manifest;

// NULL, or what is wrong with it.
static const char *read_manifest(gy_rank_search *s, manifest *m)
{
    gy_run *run = s->run;
    const char *why = NULL;
    char *path = path_in(run->options->resume_file, GY_RANKS_MANIFEST);
    gy_reader *reader = gy_reader_open(path, &why);
    free(path);
    if (!reader)
        return why;
    gy_read(reader, &m->head, sizeof m->head);
    if (m->head.version != VERSION)
        why = "this checkpoint was written by another version of Gyre";
    else if (m->head.model != gy_checkpoint_model(run->system, run->worker))
        why = "this checkpoint belongs to another model";
    else if (m->head.options != gy_checkpoint_options(run))
        why = "this checkpoint was written with other options (store, reductions or properties)";
    else if (m->head.edges != run->result->edge_count ||
             (m->head.endless != UINT64_MAX && m->head.endless >= m->head.edges) ||
             m->head.places != place_count(s) ||
             m->head.files > gy_reader_left(reader) / sizeof(gy_rank_file) ||
             m->head.masks > GY_OWNER_FORMS ||
             m->head.mask_words > gy_reader_left(reader) / sizeof(gy_word))
        why = "the manifest is invalid";
    if (!why) {
        gy_vec_reserve(&m->files, m->head.files + 1);
        m->files.n = m->head.files;
        gy_read(reader, m->edges, m->head.edges);
        gy_read(reader, m->places, m->head.places * sizeof *m->places);
        gy_read(reader, m->files.at, m->files.n * sizeof *m->files.at);
        size_t bytes = m->head.masks * m->head.mask_words * sizeof(gy_word);
        m->masks = gy_alloc_zero(bytes + 1);
        gy_read(reader, m->masks, bytes);
        if (gy_reader_failed(reader))
            why = "the manifest is invalid";
    }
    gy_reader_close(reader);
    return why;
}

// Something is known of a state that belongs here.
static void recall(gy_rank_member *m, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    gy_ref ref;
    if (!gy_store_find(m->view, state, words, &ref))
        gy_rank_raise(&s->strange);
    else if (s->product)
        gy_store_change_note(m->view, ref, 0, GY_RANK_ACCEPTING);
    else if (!gy_rank_add_failed(s, ref))
        gy_rank_out_of_memory(s);
}

void gy_rank_hear_recalled(gy_rank_member *m)
{
    while (!gy_rank_is_up(&m->search->stop) && gy_unpacker_next(&m->in, NULL, 0))
        recall(m, m->in.state.at, m->in.words);
}

static void share_state(gy_rank_member *m, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    unsigned owner = gy_rank_owner(s, state, words);
    if (s->chore != GY_RANK_RECALL && s->product)
        gy_rank_arrive_node(m, state, words);
    else if (s->chore != GY_RANK_RECALL)
        gy_rank_arrive(m, state, words);
    else if (owner == s->transport->rank)
        recall(m, state, words);
    else
        gy_rank_send(m, owner, state, words, NULL, 0);
}

// Each state of a chunk goes to its rank. False: it makes no sense.
static bool share_chunk(gy_rank_member *m, const void *bytes, size_t n, uint64_t count)
{
    gy_unpacker u = {0};
    bool good = true;
    gy_unpacker_begin(&u, bytes, n);
    for (; count && good && !gy_rank_is_up(&m->search->stop); count--) {
        good = gy_unpacker_next(&u, NULL, 0) &&
               (m->product ? gy_rank_is_node(m, u.state.at, u.words)
                           : gy_is_state(m->worker, u.state.at, u.words));
        if (good)
            share_state(m, u.state.at, u.words);
        while (atomic_load(&m->search->exchange.waiting) > GY_RANK_WAITING) {
            gy_rank_flush(m);
            gy_rank_receive(m);
        }
    }
    gy_rank_flush(m);
    good = good && (u.at == u.end || gy_rank_is_up(&m->search->stop));
    gy_unpacker_free(&u);
    return good;
}

static const char *read_states(gy_rank_search *s, const gy_rank_file *file)
{
    gy_rank_member *m = &s->members[0];
    const char *why = NULL;
    gy_rank_file head = {0};
    uint64_t states = 0;
    char *name = name_of(file), *path = path_in(s->run->options->resume_file, name);
    gy_reader *reader = gy_reader_open(path, &why);
    char *bytes = NULL;
    if (reader && (!gy_read(reader, &head, sizeof head) || memcmp(&head, file, sizeof head)))
        why = "a file of states does not match the manifest";
    while (reader && !why && gy_reader_left(reader) && !gy_rank_is_up(&s->stop)) {
        uint64_t n = gy_read_u64(reader), count = gy_read_u64(reader);
        if (n > MOST_CHUNK || n > gy_reader_left(reader)) {
            why = "a file of states is invalid";
            break;
        }
        bytes = gy_realloc(bytes, n + 1);
        if (!gy_read(reader, bytes, n) || !share_chunk(m, bytes, n, count))
            why = "a file of states is invalid";
        states += count;
    }
    if (reader && !why && states != file->states && !gy_rank_is_up(&s->stop))
        why = "a file of states is incomplete";
    if (reader)
        gy_reader_close(reader);
    free(bytes);
    free(path);
    free(name);
    return why;
}

// Collective: one phase, in which files of one kind are shared out and their states sent.
static const char *read_files(gy_rank_search *s, const gy_rank_files *files, uint64_t kind)
{
    gy_rank_member *m = &s->members[0];
    const char *why = NULL;
    gy_exchange_begin(&s->exchange);
    for (size_t i = 0; i < files->n && !why; i++)
        if (files->at[i].kind == kind && i % s->transport->size == s->transport->rank)
            why = read_states(s, &files->at[i]);
    gy_rank_send_rest(m);
    gy_exchange_finish(&s->exchange);
    while (!gy_exchange_is_over(&s->exchange))
        gy_rank_receive(m);
    return why;
}

// Collective: what is wrong anywhere is wrong for all.
static bool agree_on_reading(gy_rank_search *s, const char *why)
{
    gy_transport *t = s->transport;
    char text[160] = "";
    uint64_t first = why ? t->rank : UINT64_MAX;
    t->reduce(t, &first, 1, GY_TRANSPORT_LEAST);
    if (first == UINT64_MAX)
        return true;
    if (first == t->rank)
        strncpy(text, why, sizeof text - 1);
    t->broadcast(t, (unsigned)first, text, sizeof text);
    gy_run_fail(s->run, "%s: %s", s->run->options->resume_file, text);
    return false;
}

// What was found before is known, but neither new nor to be expanded.
static bool put_away(gy_rank_search *s)
{
    gy_rank_list *found = &s->members[0].found;
    bool keeps = s->run->options->checkpoint_file != NULL;
    if (s->product) {
        if (!gy_region_reserve(&s->nodes, found->n * sizeof(gy_ref)))
            return false;
        if (found->n)
            memcpy(s->nodes.at, found->refs.at, found->n * sizeof(gy_ref));
        s->node_count = found->n;
    }
    if (keeps && !gy_region_reserve(&s->unsaved, found->n * sizeof(gy_ref)))
        return false;
    if (keeps && found->n)
        memcpy(s->unsaved.at, found->refs.at, found->n * sizeof(gy_ref));
    s->unsaved_n = keeps ? found->n : 0;
    found->n = 0;
    return true;
}

// Collective: as before, if there are as many ranks.
static void keep_owner(gy_rank_search *s, const manifest *m)
{
    gy_owner *o = s->owner;
    if (o->chosen) // it begins again with another one
        return;
    if (s->transport->rank == 0 && m->head.ranks == o->size && m->head.masks) {
        size_t bytes = m->head.masks * m->head.mask_words * sizeof *o->masks;
        o->masks = memcpy(gy_realloc(o->masks, bytes + 1), m->masks, bytes);
        o->words = (uint32_t)m->head.mask_words;
        o->forms = (uint32_t)m->head.masks;
    }
    gy_rank_tell_owner(s);
    o->chosen = o->forms != 0;
}

bool gy_rank_resume(gy_rank_search *s)
{
    gy_search_result *result = s->run->result;
    manifest m = {.edges = gy_alloc_zero(result->edge_count + (size_t)1),
                  .places = gy_alloc_zero((place_count(s) + (size_t)1) * sizeof(uint64_t))};
    if (s->product)
        gy_rank_number_first(&s->members[0]);
    bool good = agree_on_reading(s, read_manifest(s, &m));
    if (good)
        keep_owner(s, &m);
    good = good && agree_on_reading(s, read_files(s, &m.files, FOUND));
    if (good && !put_away(s))
        gy_rank_out_of_memory(s);
    good = good && agree_on_reading(s, read_files(s, &m.files, LEVEL));
    s->chore = GY_RANK_RECALL;
    good = good && agree_on_reading(s, read_files(s, &m.files, MARKED));
    s->chore = GY_RANK_EXPAND;
    good = good && agree_on_reading(s, gy_rank_is_up(&s->strange)
                                           ? "a file of states has states that no other file has"
                                           : NULL);
    uint64_t states = atomic_load(&s->members[0].states);
    uint64_t stops = gy_rank_is_up(&s->stop);
    uint64_t sums[] = {states, stops};
    if (good) {
        s->transport->reduce(s->transport, sums, 2, GY_TRANSPORT_SUM);
        good = sums[1] ||
               agree_on_reading(s, sums[0] == m.head.states ? NULL
                                                            : "states are missing in the files");
    }
    if (good) {
        if (m.head.places)
            gy_fair_adopt(&s->product->maker.fair, m.places);
        s->level = m.head.level;
        s->run->earlier = m.head.seconds;
        memcpy(s->members[0].reached, m.edges, result->edge_count);
        s->members[0].endless_edge = (int32_t)(int64_t)m.head.endless;
        atomic_store(&s->members[0].transitions, s->transport->rank == 0 ? m.head.transitions : 0);
    }
    free(m.edges);
    free(m.places);
    free(m.masks);
    gy_vec_free(&m.files);
    return good;
}
