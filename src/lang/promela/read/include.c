// Finding, reading and entering files: the main one, #include, and what -D stands for.
#include "lang/promela/read/pp_state.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The text that stands for a file while it is being written, or NULL.
static const char *overlay(const pp *p, const char *path, size_t *bytes)
{
    const gy_reading *r = p->reading;
    return r && r->overlay ? r->overlay(r->user, path, bytes) : NULL;
}

// Reads a whole file. NULL, or what went wrong.
static const char *load(pp *p, const char *path, bool regular_only, gy_file *file)
{
    size_t bytes;
    const char *text = overlay(p, path, &bytes);
    if (text) {
        struct stat info;
        *file = (gy_file){.text = gy_alloc(bytes + 1), .bytes = bytes};
        memcpy(file->text, text, bytes);
        file->text[bytes] = 0;
        if (stat(path, &info) == 0) {
            file->device = info.st_dev;
            file->inode = info.st_ino;
        }
        return NULL;
    }
    gy_file_rules rules = {.most_bytes = PP_MAX_FILE_BYTES, .regular_only = regular_only};
    return gy_file_read(path, &rules, file) ? NULL : file->problem;
}

// Bytes that no text has. One or two may be a slip; many mean that this is something else.
static bool is_binary(const char *text, size_t bytes, size_t *first)
{
    size_t looked = bytes < 65536 ? bytes : 65536, odd = 0;
    for (size_t i = 0; i < looked; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 32 && !strchr("\t\n\v\f\r", c)) || c == 0 || c == 127) {
            if (odd++ == 0)
                *first = i;
        }
    }
    return odd * 20 > looked;
}

bool pp_enter_text(pp *p, const char *name, const char *path, const char *text, size_t bytes,
                   gy_location included_at)
{
    p->source_bytes += bytes;
    if (p->source_bytes > PP_MAX_TOTAL_BYTES) {
        pp_stop(p, included_at, "all files together have too many bytes", PP_MAX_TOTAL_BYTES);
        return false;
    }
    uint32_t index = gy_sources_add(p->sources, name, text, bytes, included_at);
    const char *kept = gy_source_text(p->sources, index, &bytes);
    size_t odd = 0;
    if (is_binary(kept, bytes, &odd)) {
        gy_error(p->diags, gy_place_at(p->sources, index, odd), "`%s` is not a text file", name);
        return false;
    }
    const char *nul = memchr(kept, '\0', bytes);
    if (nul)
        gy_error(p->diags, gy_place_at(p->sources, index, (size_t)(nul - kept)),
                 "there is a NUL byte in this file");

    struct pp_file file = {.index = index, .fresh = true, .conditionals = p->conditionals.n};
    file.path = path ? gy_arena_strdup(p->arena, path) : NULL;
    struct pp_buffer buffer;
    gy_location base = gy_place_at(p->sources, index, 0);
    pp_scanner_init(&file.scan, p->words, kept, bytes, base, &buffer.copy, &buffer.splices);
    if (buffer.copy)
        gy_vec_push(&p->buffers, buffer);
    if (bytes >= 3 && memcmp(kept, "\xef\xbb\xbf", 3) == 0)
        file.scan.at += 3;
    gy_vec_push(&p->files, file);
    return true;
}

bool pp_open_text(pp *p, const char *name, const char *text, size_t bytes)
{
    const char *path = p->reading ? name : NULL; // what it includes is next to it
    struct stat info;
    if (!pp_enter_text(p, name, path, text, bytes, 0))
        return false;
    if (path && stat(path, &info) == 0) {
        pp_file_now(p)->device = info.st_dev;
        pp_file_now(p)->inode = info.st_ino;
    }
    return true;
}

bool pp_open_file(pp *p, const char *path)
{
    gy_file file;
    const char *problem = load(p, path, false, &file);
    if (problem) {
        gy_diag *d = gy_error(p->diags, 0, "cannot read `%s`: %s", path, problem);
        struct stat info;
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            gy_hint(d, "`gyre test %s` verifies all models in it", path);
        return false;
    }
    bool entered = pp_enter_text(p, path, path, file.text, file.bytes, 0);
    if (entered) {
        pp_file_now(p)->device = file.device;
        pp_file_now(p)->inode = file.inode;
    }
    gy_file_free(&file);
    return entered;
}

void pp_define(pp *p, const pml_define *defines, size_t count)
{
    gy_text text = {0};
    for (size_t i = 0; i < count; i++) {
        gy_text_printf(&text, "#define %s ", defines[i].name);
        size_t from = text.n;
        gy_text_add(&text, defines[i].value ? defines[i].value : "1");
        for (size_t k = from; k < text.n; k++)
            if (text.at[k] == '\n')
                text.at[k] = ' ';
        gy_text_char(&text, '\n');
    }
    if (count)
        pp_enter_text(p, "<command line>", NULL, text.at, text.n, 0);
    gy_text_free(&text);
}

// ---- #include -------------------------------------------------------------------------------

struct header {
    char *name;
    bool quoted; // "name", not <name>
    gy_location place;
    uint32_t length;
};

// "name" or <name> as it is; other things are expanded first.
static bool read_header(pp *p, const pp_token *directive, struct header *header)
{
    struct pp_file *file = pp_file_now(p);
    pp_scanner *scan = &file->scan;
    pp_skip_blanks(scan);
    header->place = pp_scanner_place(scan, scan->at);
    if (*scan->at == '"' || *scan->at == '<') {
        header->quoted = *scan->at == '"';
        const char *from = scan->at + 1, *end = from;
        while (end < scan->end && *end != '\n' && *end != (header->quoted ? '"' : '>'))
            end++;
        if (end == scan->end || *end == '\n')
            return false;
        header->name = gy_arena_strndup(p->arena, from, (size_t)(end - from));
        header->length = (uint32_t)(end - from) + 2;
        scan->at = end + 1;
        return end > from;
    }
    pp_list raw = {0}, line = {0};
    pp_read_line(file, &raw);
    pp_expand_list(p, raw.at, raw.n, &line);
    gy_text name = {0};
    bool good = false;
    if (line.n && line.at[0].kind == PP_STRING && !(line.at[0].flags & PP_UNCLOSED)) {
        header->quoted = good = true;
        gy_text_bytes(&name, line.at[0].text + 1, line.at[0].length - 2);
    } else if (line.n && line.at[0].kind == PP_PUNCT && line.at[0].punct == PML_P_LT) {
        for (size_t i = 1; i < line.n && !good; i++) {
            good = line.at[i].kind == PP_PUNCT && line.at[i].punct == PML_P_GT;
            if (!good)
                gy_text_bytes(&name, line.at[i].text, line.at[i].length);
        }
    }
    if (raw.n) {
        header->place = raw.at[0].place;
        header->length = raw.at[0].length;
    } else {
        header->place = directive->place;
        header->length = directive->length;
    }
    header->name = gy_arena_strdup(p->arena, gy_text_str(&name));
    gy_text_free(&name);
    gy_vec_free(&raw);
    gy_vec_free(&line);
    return good && header->name[0];
}

static bool is_there(const pp *p, const char *path)
{
    struct stat info;
    size_t bytes;
    return overlay(p, path, &bytes) || stat(path, &info) == 0;
}

// Where the file is; NULL if it is nowhere, with the places examined in `looked`.
static const char *find(pp *p, const struct header *header, gy_text *looked)
{
    if (header->name[0] == '/')
        return is_there(p, header->name) ? header->name : NULL;
    if (header->quoted) {
        const char *from = pp_file_now(p)->path;
        const char *slash = from ? strrchr(from, '/') : NULL;
        int length = slash ? (int)(slash - from) + 1 : 0;
        const char *path =
            gy_arena_printf(p->arena, "%.*s%s", length, from ? from : "", header->name);
        if (is_there(p, path))
            return path;
        gy_text_printf(looked, "%.*s", length ? length : 1, length ? from : ".");
    }
    for (size_t i = 0; p->include_dirs && p->include_dirs[i]; i++) {
        const char *path = gy_arena_printf(p->arena, "%s/%s", p->include_dirs[i], header->name);
        if (is_there(p, path))
            return path;
        gy_text_printf(looked, "%s%s", looked->n ? ", " : "", p->include_dirs[i]);
    }
    return NULL;
}

// Inside embedded C the line is left to the C compiler.
static void pass_through(pp *p, const struct header *header)
{
    const char *line = gy_arena_printf(p->arena, "#include <%s>", header->name);
    pp_token token = {.kind = PP_OTHER,
                      .flags = PP_SPACE | PP_NEWLINE,
                      .text = line,
                      .length = (uint32_t)strlen(line),
                      .place = header->place};
    pp_push(p, &token, 1);
}

static bool same_file(const struct pp_file *file, const gy_file *other)
{
    return file->path && file->device == other->device && file->inode == other->inode;
}

static void report_depth(pp *p, const struct header *header, const gy_file *loaded)
{
    p->stopped = true;
    gy_text cycle = {0};
    size_t from = p->files.n;
    while (from > 0 && !same_file(&p->files.at[from - 1], loaded))
        from--;
    gy_diag *diag;
    if (from == 0) {
        diag = gy_error(p->diags, header->place, "#include is nested too deeply (the limit is %d)",
                        PP_MAX_INCLUDE_DEPTH);
    } else if (from == p->files.n) {
        diag = gy_error(p->diags, header->place, "`%s` includes itself without end", header->name);
    } else {
        for (size_t i = from - 1; i < p->files.n; i++)
            gy_text_printf(&cycle, "%s -> ", p->files.at[i].path);
        diag = gy_error(p->diags, header->place, "these files include each other without end: %s%s",
                        gy_text_str(&cycle), p->files.at[from - 1].path);
    }
    diag->length = header->length;
    gy_text_free(&cycle);
}

static void enter(pp *p, const struct header *header, const char *path, bool once)
{
    gy_file file;
    const char *problem = load(p, path, true, &file);
    if (problem) {
        gy_error(p->diags, header->place, "cannot read `%s`: %s", path, problem)->length =
            header->length;
        return;
    }
    bool skip = false;
    for (size_t i = 0; i < p->once.n; i++)
        skip |= same_file(&p->once.at[i], &file);
    if (!skip && p->files.n >= PP_MAX_INCLUDE_DEPTH)
        report_depth(p, header, &file);
    else if (!skip && ++p->includes > PP_MAX_INCLUDES)
        pp_stop(p, header->place, "files are included too often", PP_MAX_INCLUDES);
    else if (!skip && pp_enter_text(p, path, path, file.text, file.bytes, header->place)) {
        struct pp_file *now = pp_file_now(p);
        now->device = file.device;
        now->inode = file.inode;
        if (once)
            gy_vec_push(&p->once, *now);
    }
    gy_file_free(&file);
}

void pp_read_include(pp *p, const pp_token *directive)
{
    struct header header = {0};
    bool good = read_header(p, directive, &header);
    struct pp_file *file = pp_file_now(p);
    pp_skip_line(&file->scan);
    file->scan.in_directive = false;
    if (!good) {
        gy_diag *diag = gy_error(p->diags, header.place, "#include needs a file name");
        diag->length = header.length;
        gy_hint(diag, "write it as: #include \"file\"");
        return;
    }
    if (p->args) {
        gy_error(p->diags, directive->place, "#include inside the arguments of a macro");
        return;
    }
    gy_text looked = {0};
    const char *path = find(p, &header, &looked);
    if (path) {
        enter(p, &header, path, directive->text[1] == 'm');
    } else if (p->inside_c && !header.quoted) {
        pass_through(p, &header);
    } else {
        gy_diag *diag = gy_error(p->diags, header.place, "cannot find `%s`", header.name);
        diag->length = header.length;
        if (looked.n)
            gy_hint(diag, "searched in %s", looked.at);
        else
            gy_hint(diag, "no directory is known for <...>: write #include \"%s\", or give -I",
                    header.name);
    }
    gy_text_free(&looked);
}
