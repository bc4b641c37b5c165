#include "serve/lsp/index.h"

#include "serve/document/uri.h"

#include <string.h>

typedef struct builder {
    lsp_index *index;
    const gy_names *names;
    const gy_sources *sources;
    uint32_t *files;   // by number in the sources
    uint32_t *symbols; // by number in the record
    gy_map map;        // of symbols, by where they are defined
} builder;

static uint32_t add_file(builder *b, uint32_t source)
{
    size_t bytes;
    const char *name = gy_source_name(b->sources, source);
    if (name[0] != '/')
        return LSP_NOWHERE;
    char *path = gy_path_clean(name);
    uint32_t known = lsp_index_file(b->index, path);
    if (known == LSP_NOWHERE) {
        const char *text = gy_source_text(b->sources, source, &bytes);
        char *copy = gy_arena_alloc(b->index->arena, bytes + 1);
        memcpy(copy, text, bytes);
        lsp_file file = {
            .path = gy_arena_strdup(b->index->arena, path), .text = copy, .bytes = bytes};
        gy_lines_init(&file.lines, copy, bytes);
        known = (uint32_t)b->index->files.n;
        gy_vec_push(&b->index->files, file);
    }
    free(path);
    return known;
}

static bool resolve(const builder *b, gy_location place, uint32_t *file, uint32_t *offset)
{
    uint32_t source;
    size_t at, line_start;
    if (!place || !gy_location_text(b->sources, place, &source, &at, &line_start))
        return false;
    *file = b->files[source];
    *offset = (uint32_t)at;
    return *file != LSP_NOWHERE;
}

static const char **keep_params(lsp_index *index, const gy_name *name)
{
    const char **params = GY_NEW_ARRAY(index->arena, const char *, name->param_count + 1);
    for (uint32_t i = 0; i < name->param_count; i++)
        params[i] = gy_arena_strdup(index->arena, name->params[i]);
    return params;
}

static uint32_t find_symbol(const builder *b, uint64_t hash, const lsp_symbol *wanted)
{
    for (gy_map_probe p = gy_map_first(&b->map, hash); p.found; gy_map_next(&b->map, &p)) {
        const lsp_symbol *s = &b->index->symbols.at[p.number];
        if (s->file == wanted->file && s->offset == wanted->offset &&
            s->name.kind == wanted->name.kind && strcmp(s->name.text, wanted->name.text) == 0)
            return p.number;
    }
    return GY_NO_NAME;
}

// An owner is defined before what it owns.
static void add_symbol(builder *b, uint32_t number)
{
    lsp_index *index = b->index;
    const gy_name *name = &b->names->list.at[number];
    lsp_symbol symbol = {.name = *name, .file = LSP_NOWHERE};
    resolve(b, name->place, &symbol.file, &symbol.offset);
    uint64_t hash = gy_hash_bytes(name->text, strlen(name->text), symbol.offset);
    uint32_t known = find_symbol(b, hash, &symbol);
    if (known == GY_NO_NAME) {
        symbol.name.text = gy_arena_strdup(index->arena, name->text);
        symbol.name.type = gy_arena_strdup(index->arena, name->type);
        symbol.name.suffix = gy_arena_strdup(index->arena, name->suffix);
        symbol.name.params = keep_params(index, name);
        symbol.name.owner = name->owner == GY_NO_NAME ? GY_NO_NAME : b->symbols[name->owner];
        known = (uint32_t)index->symbols.n;
        gy_vec_push(&index->symbols, symbol);
        gy_map_add(&b->map, hash, known);
    }
    b->symbols[number] = known;
}

static void add_use(builder *b, const gy_name_use *use)
{
    lsp_use at = {.symbol = b->symbols[use->name],
                  .length = use->length,
                  .role = use->role,
                  .process = use->process == GY_NO_NAME ? GY_NO_NAME : b->symbols[use->process]};
    if (!resolve(b, use->place, &at.file, &at.offset))
        return;
    const lsp_file *file = &b->index->files.at[at.file];
    const char *text = b->index->symbols.at[at.symbol].name.text;
    size_t n = strlen(text);
    at.exact = at.offset + n <= file->bytes && at.length == n &&
               memcmp(file->text + at.offset, text, n) == 0;
    gy_vec_push(&b->index->uses, at);
}

static int compare_uses(const void *a, const void *b)
{
    const lsp_use *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->symbol != y->symbol)
        return x->symbol < y->symbol ? -1 : 1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (int)x->role - (int)y->role;
}

static void sort_uses(lsp_index *index)
{
    size_t n = 0;
    if (index->uses.n)
        qsort(index->uses.at, index->uses.n, sizeof *index->uses.at, compare_uses);
    for (size_t i = 0; i < index->uses.n; i++)
        if (n == 0 || compare_uses(&index->uses.at[n - 1], &index->uses.at[i]) != 0)
            index->uses.at[n++] = index->uses.at[i];
    index->uses.n = n;
    for (size_t i = 0; i < n; i++) {
        lsp_file *file = &index->files.at[index->uses.at[i].file];
        if (file->use_count++ == 0)
            file->first_use = (uint32_t)i;
    }
}

static void add_arguments(builder *b)
{
    for (size_t i = 0; i < b->names->arguments.n; i++) {
        const gy_name_argument *argument = &b->names->arguments.at[i];
        lsp_argument at = {.label = NULL};
        if (!argument->place ||
            gy_location_lookup(b->sources, argument->place).origin != GY_FROM_FILE ||
            !resolve(b, argument->place, &at.file, &at.offset))
            continue;
        at.label = gy_arena_strdup(b->index->arena, argument->label);
        gy_vec_push(&b->index->arguments, at);
    }
}

lsp_index *lsp_index_new(const gy_names *names, const gy_sources *sources)
{
    lsp_index *index = gy_alloc_zero(sizeof *index);
    index->arena = gy_arena_new();
    atomic_init(&index->holders, 1);
    uint32_t sources_count = gy_sources_count(sources);
    builder b = {.index = index,
                 .names = names,
                 .sources = sources,
                 .files = gy_alloc((sources_count + 1) * sizeof *b.files),
                 .symbols = gy_alloc((names->list.n + 1) * sizeof *b.symbols)};
    for (uint32_t i = 0; i < sources_count; i++)
        b.files[i] = add_file(&b, i);
    for (uint32_t i = 0; i < names->list.n; i++)
        add_symbol(&b, i);
    for (size_t i = 0; i < names->uses.n; i++)
        add_use(&b, &names->uses.at[i]);
    sort_uses(index);
    add_arguments(&b);
    free(b.files);
    free(b.symbols);
    gy_map_free(&b.map);
    return index;
}

void lsp_index_show(lsp_index *index, const char *path, const char *text, size_t bytes)
{
    uint32_t number = lsp_index_file(index, path);
    if (number == LSP_NOWHERE)
        return;
    lsp_file *file = &index->files.at[number];
    gy_lines_free(&file->lines);
    file->text = gy_arena_strndup(index->arena, text, bytes);
    file->bytes = bytes;
    gy_lines_init(&file->lines, file->text, bytes);
}

lsp_index *lsp_index_hold(lsp_index *index)
{
    atomic_fetch_add(&index->holders, 1);
    return index;
}

void lsp_index_drop(lsp_index *index)
{
    if (!index || atomic_fetch_sub(&index->holders, 1) != 1)
        return;
    for (size_t i = 0; i < index->files.n; i++)
        gy_lines_free(&index->files.at[i].lines);
    gy_vec_free(&index->files);
    gy_vec_free(&index->symbols);
    gy_vec_free(&index->uses);
    gy_vec_free(&index->arguments);
    gy_arena_free(index->arena);
    free(index);
}

uint32_t lsp_index_file(const lsp_index *index, const char *path)
{
    for (size_t i = 0; i < index->files.n; i++)
        if (strcmp(index->files.at[i].path, path) == 0)
            return (uint32_t)i;
    return LSP_NOWHERE;
}

uint32_t lsp_uses_at(const lsp_index *index, uint32_t file, size_t offset, const lsp_use **first)
{
    if (file >= index->files.n)
        return 0;
    const lsp_file *f = &index->files.at[file];
    size_t low = f->first_use, end = low + f->use_count, high = end;
    while (low < high) { // the first that ends at the offset or after it
        size_t middle = (low + high) / 2;
        const lsp_use *use = &index->uses.at[middle];
        if (use->offset + use->length < offset)
            low = middle + 1;
        else
            high = middle;
    }
    // of two words that touch, the one that begins here
    while (low < end && index->uses.at[low].offset + index->uses.at[low].length == offset &&
           low + 1 < end && index->uses.at[low + 1].offset == offset)
        low++;
    if (low >= end || index->uses.at[low].offset > offset)
        return 0;
    uint32_t count = 1;
    while (low + count < end && index->uses.at[low + count].offset == index->uses.at[low].offset)
        count++;
    *first = &index->uses.at[low];
    return count;
}
