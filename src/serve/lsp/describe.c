#include "serve/lsp/describe.h"

#include <ctype.h>
#include <string.h>

void lsp_declaration(const lsp_symbol *symbol, gy_text *out)
{
    const gy_name *name = &symbol->name;
    if (name->kind == GY_NAME_LABEL)
        gy_text_printf(out, "%s:", name->text);
    else if (name->kind == GY_NAME_ARGUMENT || strcmp(name->type, name->text) == 0)
        gy_text_add(out, name->text);
    else
        gy_text_printf(out, "%s %s%s", name->type, name->text, name->suffix);
}

// ---- comments -----------------------------------------------------------------------------------

static const char *trim(const char *from, const char **end)
{
    while (from < *end && isspace((unsigned char)*from))
        from++;
    while (*end > from && isspace((unsigned char)(*end)[-1]))
        --*end;
    return from;
}

// A line of a comment, without what makes it one.
static void add_comment_line(const char *from, const char *end, gy_text *out)
{
    from = trim(from, &end);
    while (from < end && (*from == '/' || *from == '*'))
        from++;
    if (end - from >= 2 && end[-1] == '/' && end[-2] == '*')
        end -= 2;
    from = trim(from, &end);
    if (from == end)
        return;
    if (out->n)
        gy_text_char(out, '\n');
    gy_text_bytes(out, from, (size_t)(end - from));
}

static bool line_is_comment(const lsp_file *file, uint32_t line, bool *inside)
{
    const char *from = file->text + file->lines.starts.at[line];
    const char *end = from + gy_line_length(&file->lines, line);
    from = trim(from, &end);
    if (from == end)
        return false;
    if (*inside) {
        *inside = !(end - from >= 2 && from[0] == '/' && from[1] == '*');
        return true;
    }
    if (end - from >= 2 && end[-1] == '/' && end[-2] == '*') {
        *inside = !(from[0] == '/' && from[1] == '*');
        return *inside ? from[0] == '*' || isalnum((unsigned char)from[0]) : true;
    }
    return end - from >= 2 && from[0] == '/' && from[1] == '/';
}

void lsp_comment(const lsp_index *index, const lsp_symbol *symbol, gy_text *out)
{
    enum { MOST_LINES = 30 };
    if (symbol->file == LSP_NOWHERE)
        return;
    const lsp_file *file = &index->files.at[symbol->file];
    uint32_t line = gy_line_of(&file->lines, symbol->offset), first = line;
    const char *text = file->text + file->lines.starts.at[line];
    size_t length = gy_line_length(&file->lines, line);
    const char *behind = memmem(text, length, "//", 2);
    const char *block = memmem(text, length, "/*", 2);
    if (!behind || (block && block < behind))
        behind = block;
    if (behind && behind > file->text + symbol->offset) {
        const char *end = text + length;
        const char *close =
            block == behind ? memmem(behind, (size_t)(end - behind), "*/", 2) : NULL;
        add_comment_line(behind, close ? close : end, out);
        return;
    }
    bool inside = false;
    while (first > 0 && line - first < MOST_LINES && line_is_comment(file, first - 1, &inside))
        first--;
    if (inside || (first == 0 && line > 1))
        return; // it began too far away, is none, or is about the file
    for (; first < line; first++) {
        const char *from = file->text + file->lines.starts.at[first];
        add_comment_line(from, from + gy_line_length(&file->lines, first), out);
    }
}

// ---- who does what with it
// -------------------------------------------------------------------------

// "**Written by** `P` (lines 3, 7), `Q` (12)": those of the uses that have this role.
static void add_users(const lsp_view *view, uint32_t symbol, gy_name_role role, const char *words,
                      gy_text *out)
{
    enum { MOST_LINES = 8 };
    const lsp_index *index = view->index;
    bool any = false;
    GY_VEC(uint32_t) processes = {0};
    for (size_t i = 0; i < index->uses.n; i++) {
        const lsp_use *use = &index->uses.at[i];
        size_t k = 0;
        if (use->symbol != symbol || use->role != role || use->process == GY_NO_NAME)
            continue;
        while (k < processes.n && processes.at[k] != use->process)
            k++;
        if (k == processes.n)
            gy_vec_push(&processes, use->process);
    }
    for (size_t p = 0; p < processes.n; p++) {
        unsigned lines = 0;
        uint32_t last = UINT32_MAX;
        gy_text_printf(out, "%s`%s` (line ", any ? ", " : words,
                       index->symbols.at[processes.at[p]].name.text);
        any = true;
        for (size_t i = 0; i < index->uses.n; i++) {
            const lsp_use *use = &index->uses.at[i];
            if (use->symbol != symbol || use->role != role || use->process != processes.at[p])
                continue;
            uint32_t line = gy_line_of(&index->files.at[use->file].lines, use->offset) + 1;
            if (line == last)
                continue;
            last = line;
            if (lines++ < MOST_LINES)
                gy_text_printf(out, "%s%u", lines > 1 ? ", " : "", line);
        }
        gy_text_add(out, lines > MOST_LINES ? " …)" : ")");
    }
    if (any)
        gy_text_add(out, "\n\n");
    gy_vec_free(&processes);
}

static unsigned count_uses(const lsp_index *index, uint32_t symbol, gy_name_role role)
{
    unsigned count = 0;
    for (size_t i = 0; i < index->uses.n; i++)
        count += index->uses.at[i].symbol == symbol && index->uses.at[i].role == role;
    return count;
}

static void describe_variable(const lsp_view *view, uint32_t number, gy_text *out)
{
    const lsp_symbol *s = &view->index->symbols.at[number];
    const lsp_fact *fact =
        view->analysis->complete ? lsp_analysis_fact(view->analysis, number) : NULL;
    if (s->name.owner != GY_NO_NAME)
        gy_text_printf(out, "%s `%s`\n\n", s->name.kind == GY_NAME_FIELD ? "Field of" : "In",
                       view->index->symbols.at[s->name.owner].name.text);
    if (fact && fact->min == fact->max)
        gy_text_printf(out, "**Values:** always %d, by analysis\n\n", fact->min);
    else if (fact)
        gy_text_printf(out, "**Values:** %d … %d, by analysis\n\n", fact->min, fact->max);
    add_users(view, number, GY_USE_WRITTEN, "**Written by** ", out);
    add_users(view, number, GY_USE_SENT, "**Sent to by** ", out);
    add_users(view, number, GY_USE_RECEIVED, "**Received from by** ", out);
    if (s->name.kind != GY_NAME_PARAMETER && !s->name.channel && s->name.kind != GY_NAME_BUILTIN &&
        view->analysis->clean && count_uses(view->index, number, GY_USE_WRITTEN) == 0)
        gy_text_add(out, "Never written\n\n");
}

void lsp_describe(const lsp_view *view, uint32_t number, gy_text *out)
{
    const lsp_symbol *s = &view->index->symbols.at[number];
    gy_text comment = {0};
    gy_text_add(out, "```promela\n");
    lsp_declaration(s, out);
    gy_text_add(out, "\n```\n\n");
    lsp_comment(view->index, s, &comment);
    if (comment.n)
        gy_text_printf(out, "%s\n\n", comment.at);
    gy_text_free(&comment);
    switch (s->name.kind) {
    case GY_NAME_GLOBAL:
    case GY_NAME_LOCAL:
    case GY_NAME_PARAMETER:
    case GY_NAME_FIELD:
        describe_variable(view, number, out);
        break;
    case GY_NAME_PROCESS:
        add_users(view, number, GY_USE_CALLED, "**Started by** ", out);
        break;
    case GY_NAME_INLINE:
        add_users(view, number, GY_USE_CALLED, "**Called by** ", out);
        if (!s->name.called && view->analysis->clean)
            gy_text_add(out, "Never called\n\n");
        break;
    case GY_NAME_LABEL:
        if (strncmp(s->name.text, "end", 3) == 0)
            gy_text_add(out, "A valid end state: a process may stay here for ever.\n\n");
        else if (strncmp(s->name.text, "accept", 6) == 0)
            gy_text_add(out, "A run that visits this infinitely often is an error.\n\n");
        else if (strncmp(s->name.text, "progress", 8) == 0)
            gy_text_add(out, "Reaching this is progress, which `--check progress` requires "
                             "infinitely often.\n\n");
        add_users(view, number, GY_USE_CALLED, "**Gone to by** ", out);
        break;
    case GY_NAME_ARGUMENT:
        if (s->name.owner != GY_NO_NAME)
            gy_text_printf(out, "Parameter of inline `%s`: text, put in as it is\n\n",
                           view->index->symbols.at[s->name.owner].name.text);
        break;
    default:
        break;
    }
}
