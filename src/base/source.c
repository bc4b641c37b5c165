// Representation: a place below RECORDS is a position in one virtual text, the files laid
// end to end from 1 on (each with one position more than it has bytes, so that its end has a
// place); it takes no memory at all. A place from RECORDS on is an index into `records`,
// which holds expansions and positions outside any known text.
//
// Lines are found from an index with one entry per BLOCK bytes of text: how many lines began
// before the block, and where the line begins that the block starts in. It is built when the
// text is added, so that lookups only read and any number of threads may do them.
#include "base/source.h"

#include "base/assert.h"
#include "base/fatal.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>

#define RECORDS UINT32_C(0x80000000)
enum { BLOCK = 1024 };

struct line_block {
    uint32_t lines_before; // line breaks before the block
    uint32_t line_start;   // offset of the first byte of the line that the block starts in
};

// From `offset` on, line numbers are `line` for the line at `offset`, of file `alias`.
struct line_mark {
    size_t offset;
    uint32_t physical_line, line, alias;
};

struct file {
    char *name, *text;
    size_t bytes;
    gy_location included_at;
    gy_location base; // place of offset 0; 0: too much text, no places
    struct line_block *blocks;
    GY_VEC(struct line_mark) marks;
    uint32_t alias_of; // own index, or the file that #line gave another name
};

struct record {
    uint32_t kind; // a gy_origin, plus 4 times the index of `via`
    uint32_t a, b; // expansion: written, used_at; in a file: line, column, with kind / 4 the file
};

struct gy_sources {
    GY_VEC(struct file) files;
    GY_VEC(uint32_t) real; // files with text, by growing base
    GY_VEC(struct record) records;
    GY_VEC(char *) names; // of macros and inlines
    gy_map name_map;
    uint32_t last_name;
    gy_location next_base;
};

gy_sources *gy_sources_new(void)
{
    gy_sources *sources = gy_alloc_zero(sizeof *sources);
    sources->next_base = 1;
    return sources;
}

void gy_sources_free(gy_sources *sources)
{
    if (!sources)
        return;
    for (size_t i = 0; i < sources->files.n; i++) {
        struct file *file = &sources->files.at[i];
        free(file->name);
        if (file->alias_of == i) {
            free(file->text);
            free(file->blocks);
        }
        gy_vec_free(&file->marks);
    }
    for (size_t i = 0; i < sources->names.n; i++)
        free(sources->names.at[i]);
    gy_vec_free(&sources->files);
    gy_vec_free(&sources->real);
    gy_vec_free(&sources->records);
    gy_vec_free(&sources->names);
    gy_map_free(&sources->name_map);
    free(sources);
}

static char *copy(const char *bytes, size_t n)
{
    char *result = gy_alloc(n + 1);
    if (n)
        memcpy(result, bytes, n);
    result[n] = '\0';
    return result;
}

static void index_lines(struct file *file)
{
    size_t count = file->bytes / BLOCK + 1;
    file->blocks = gy_alloc(count * sizeof *file->blocks);
    uint32_t lines = 0, start = 0;
    for (size_t i = 0; i < count; i++) {
        file->blocks[i] = (struct line_block){lines, start};
        const char *at = file->text + i * BLOCK;
        const char *end =
            file->text + ((i + 1) * BLOCK < file->bytes ? (i + 1) * BLOCK : file->bytes);
        while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
            at++;
            lines++;
            start = (uint32_t)(at - file->text);
        }
    }
}

uint32_t gy_sources_add(gy_sources *sources, const char *name, const char *text, size_t bytes,
                        gy_location included_at)
{
    uint32_t index = (uint32_t)sources->files.n;
    struct file file = {.name = copy(name, strlen(name)),
                        .text = copy(text, bytes),
                        .bytes = bytes,
                        .included_at = included_at,
                        .alias_of = index};
    if (bytes < RECORDS - sources->next_base - 1) {
        file.base = sources->next_base;
        sources->next_base += (gy_location)bytes + 1;
        index_lines(&file);
        gy_vec_push(&sources->real, index);
    }
    gy_vec_push(&sources->files, file);
    return index;
}

uint32_t gy_sources_count(const gy_sources *sources)
{
    return (uint32_t)sources->files.n;
}

static const struct file *file_at(const gy_sources *sources, uint32_t file)
{
    if (file >= sources->files.n)
        gy_fatal("no source file %u", file);
    return &sources->files.at[file];
}

const char *gy_source_name(const gy_sources *sources, uint32_t file)
{
    return file_at(sources, file)->name;
}

const char *gy_source_text(const gy_sources *sources, uint32_t file, size_t *bytes)
{
    const struct file *f = file_at(sources, file);
    if (bytes)
        *bytes = f->bytes;
    return f->text;
}

gy_location gy_source_included_at(const gy_sources *sources, uint32_t file)
{
    return file_at(sources, file)->included_at;
}

// ---- lines ----------------------------------------------------------------------------

static uint32_t physical_line(const struct file *file, size_t offset, size_t *line_start)
{
    const struct line_block *block = &file->blocks[offset / BLOCK];
    uint32_t line = block->lines_before + 1;
    size_t start = block->line_start;
    const char *at = file->text + offset / BLOCK * BLOCK, *end = file->text + offset;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        line++;
        start = (size_t)(at - file->text);
    }
    *line_start = start;
    return line;
}

// The offset of a line and column, or SIZE_MAX if the text has no such position.
static size_t offset_of(const struct file *file, uint32_t line, uint32_t column)
{
    if (!file->base || line == 0 || column == 0)
        return SIZE_MAX;
    size_t low = 0, high = file->bytes / BLOCK; // the last block with lines_before < line
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (file->blocks[middle].lines_before < line)
            low = middle;
        else
            high = middle - 1;
    }
    uint32_t at_line = file->blocks[low].lines_before + 1;
    size_t start = file->blocks[low].line_start, from = low * BLOCK;
    while (at_line < line) {
        const char *end = memchr(file->text + from, '\n', file->bytes - from);
        if (!end)
            return SIZE_MAX;
        start = from = (size_t)(end + 1 - file->text);
        at_line++;
    }
    size_t rest = file->bytes - start;
    const char *end = memchr(file->text + start, '\n', column < rest ? column : rest);
    size_t length = end ? (size_t)(end - (file->text + start)) : rest;
    return column - 1 <= length ? start + column - 1 : SIZE_MAX;
}

void gy_source_mark_line(gy_sources *sources, uint32_t file, size_t offset, uint32_t line,
                         const char *name)
{
    const struct file *physical = file_at(sources, file);
    if (!physical->base || offset > physical->bytes)
        return;
    size_t count = physical->marks.n;
    gy_assert(!count || physical->marks.at[count - 1].offset <= offset);
    uint32_t alias = count ? physical->marks.at[count - 1].alias : file;
    if (name && strcmp(name, sources->files.at[alias].name) != 0) {
        alias = file;
        for (size_t i = 0; i < count && alias == file; i++)
            if (strcmp(sources->files.at[physical->marks.at[i].alias].name, name) == 0)
                alias = physical->marks.at[i].alias;
        if (alias == file && strcmp(physical->name, name) != 0) {
            struct file other = *physical;
            other.name = copy(name, strlen(name));
            other.marks.at = NULL;
            other.marks.n = other.marks.room = 0;
            alias = (uint32_t)sources->files.n;
            gy_vec_push(&sources->files, other);
        }
    }
    struct file *marked = &sources->files.at[file];
    size_t start;
    struct line_mark mark = {offset, physical_line(marked, offset, &start), line, alias};
    gy_vec_push(&marked->marks, mark);
}

// ---- places ---------------------------------------------------------------------------

static gy_location add_record(gy_sources *sources, struct record record)
{
    if (sources->records.n >= RECORDS - 1)
        return 0;
    gy_vec_push(&sources->records, record);
    return RECORDS + (gy_location)(sources->records.n - 1);
}

gy_location gy_place_at(gy_sources *sources, uint32_t file, size_t offset)
{
    const struct file *f = file_at(sources, file);
    if (!f->base)
        return 0;
    return f->base + (gy_location)(offset < f->bytes ? offset : f->bytes);
}

gy_location gy_location_in_file(gy_sources *sources, uint32_t file, uint32_t line, uint32_t column)
{
    size_t offset = offset_of(file_at(sources, file), line, column);
    if (offset != SIZE_MAX)
        return gy_place_at(sources, file, offset);
    return add_record(sources, (struct record){GY_FROM_FILE + 4 * file, line, column});
}

static uint32_t name_index(gy_sources *sources, const char *name)
{
    if (sources->last_name < sources->names.n &&
        strcmp(sources->names.at[sources->last_name], name) == 0)
        return sources->last_name;
    const gy_map *map = &sources->name_map;
    uint64_t hash = gy_hash_bytes(name, strlen(name), 0);
    for (gy_map_probe p = gy_map_first(map, hash); p.found; gy_map_next(map, &p))
        if (strcmp(sources->names.at[p.number], name) == 0)
            return sources->last_name = p.number;
    sources->last_name = (uint32_t)sources->names.n;
    gy_vec_push(&sources->names, copy(name, strlen(name)));
    gy_map_add(&sources->name_map, hash, sources->last_name);
    return sources->last_name;
}

static bool is_place(const gy_sources *sources, gy_location place)
{
    return place < RECORDS ? place < sources->next_base : place - RECORDS < sources->records.n;
}

gy_location gy_location_expanded(gy_sources *sources, gy_location written, gy_origin origin,
                                 const char *via, gy_location used_at)
{
    gy_assert(origin == GY_FROM_MACRO || origin == GY_FROM_INLINE);
    gy_assert(is_place(sources, written) &&
              is_place(sources, used_at)); // so no place is in a circle
    uint32_t name = name_index(sources, via ? via : "");
    return add_record(sources, (struct record){(uint32_t)origin + 4 * name, written, used_at});
}

static const struct record *record_of(const gy_sources *sources, gy_location place)
{
    if (place < RECORDS)
        return NULL;
    if (place - RECORDS >= sources->records.n)
        gy_fatal("no place %u", place);
    return &sources->records.at[place - RECORDS];
}

static gy_origin origin_of(const struct record *record)
{
    return record ? (gy_origin)(record->kind & 3) : GY_FROM_FILE;
}

gy_location gy_location_written(const gy_sources *sources, gy_location place)
{
    const struct record *record = record_of(sources, place);
    return origin_of(record) == GY_FROM_FILE ? 0 : record->a;
}

// The file whose stretch of the virtual text holds a place below RECORDS.
static uint32_t real_file(const gy_sources *sources, gy_location place)
{
    size_t low = 0, high = sources->real.n - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (sources->files.at[sources->real.at[middle]].base <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return sources->real.at[low];
}

int gy_location_text(const gy_sources *sources, gy_location place, uint32_t *file, size_t *offset,
                     size_t *line_start)
{
    for (const struct record *r; (r = record_of(sources, place)); place = r->a)
        if (origin_of(r) == GY_FROM_FILE)
            return 0;
    if (place == 0 || place >= sources->next_base)
        return 0;
    *file = real_file(sources, place);
    const struct file *f = &sources->files.at[*file];
    *offset = place - f->base;
    physical_line(f, *offset, line_start);
    return 1;
}

static const struct line_mark *mark_before(const struct file *file, size_t offset)
{
    size_t low = 0, high = file->marks.n; // marks below `low` are at or before the offset
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (file->marks.at[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &file->marks.at[low - 1] : NULL;
}

gy_location_info gy_location_lookup(const gy_sources *sources, gy_location place)
{
    gy_location_info info = {0};
    const struct record *outer = record_of(sources, place);
    if (origin_of(outer) != GY_FROM_FILE) {
        info.origin = origin_of(outer);
        info.used_at = outer->b;
        info.via = sources->names.at[outer->kind / 4];
    }
    const struct record *record = outer;
    while (record && origin_of(record) != GY_FROM_FILE) {
        place = record->a;
        record = record_of(sources, place);
    }
    uint32_t file;
    size_t offset, start;
    if (record) {
        info.file = record->kind / 4;
        info.line = record->a;
        info.column = record->b;
    } else if (gy_location_text(sources, place, &file, &offset, &start)) {
        const struct file *f = &sources->files.at[file];
        info.file = file;
        info.line = physical_line(f, offset, &start);
        info.column = (uint32_t)(offset - start) + 1;
        const struct line_mark *mark = mark_before(f, offset);
        if (mark) {
            info.line = info.line - mark->physical_line + mark->line;
            info.file = mark->alias;
        }
    }
    return info;
}

// The place without macro uses. *inlined: the outermost inline call on the way, or NULL.
static gy_location user_place(const gy_sources *sources, gy_location place,
                              const struct record **inlined)
{
    *inlined = NULL;
    for (const struct record *r; (r = record_of(sources, place));) {
        if (origin_of(r) == GY_FROM_MACRO) {
            place = r->b;
        } else if (origin_of(r) == GY_FROM_INLINE) {
            if (!*inlined)
                *inlined = r;
            place = r->a;
        } else {
            break;
        }
    }
    return place;
}

int gy_location_user_text(const gy_sources *sources, gy_location place, uint32_t *file,
                          size_t *offset)
{
    const struct record *inlined;
    size_t line_start;
    return gy_location_text(sources, user_place(sources, place, &inlined), file, offset,
                            &line_start);
}

uint32_t gy_location_calls(const gy_sources *sources, gy_location place, gy_location_info *calls,
                           uint32_t most)
{
    uint32_t n = 0;
    while (place && n < most) {
        gy_location_info info = gy_location_user(sources, place);
        if (info.origin != GY_FROM_INLINE || !info.used_at)
            break;
        place = info.used_at;
        calls[n] = gy_location_user(sources, place);
        calls[n++].via = info.via;
    }
    return n;
}

gy_location_info gy_location_user(const gy_sources *sources, gy_location place)
{
    const struct record *inlined;
    place = user_place(sources, place, &inlined);
    gy_location_info info = gy_location_lookup(sources, place);
    if (inlined) {
        info.origin = GY_FROM_INLINE;
        info.used_at = inlined->b;
        info.via = sources->names.at[inlined->kind / 4];
    }
    return info;
}
