// A model is known by its file's name without what follows the dot: `leader`. Where several models
// of the command line have that name, each gets as many of the directories above it as it takes to
// tell them apart: `models-leader`, `net-leader`. If directories cannot, what follows the dot
// stays. If even that cannot, as for `net-leader.pml` and `net/leader.pml`, a number follows.
#include "cli/report_file.h"

#include <string.h>
#include <sys/stat.h>

enum { MAX_FOLDERS = 64 };

// The last parts of a path, without "." among them. Returns how many were asked for and are there.
static uint32_t last_parts(const char *path, uint32_t wanted, bool extension, gy_text *out)
{
    const char *part[MAX_FOLDERS + 1];
    size_t bytes[MAX_FOLDERS + 1];
    uint32_t found = 0;
    for (const char *end = path + strlen(path); end > path && found < wanted;) {
        const char *from = end;
        while (from > path && from[-1] != '/')
            from--;
        size_t n = (size_t)(end - from);
        if (n && !(n == 1 && *from == '.')) {
            part[found] = from;
            bytes[found++] = n;
        }
        end = from > path ? from - 1 : from;
    }
    const char *dot = found && !extension ? memrchr(part[0], '.', bytes[0]) : NULL;
    if (dot && dot != part[0])
        bytes[0] = (size_t)(dot - part[0]);
    for (uint32_t i = found; i-- > 0;) {
        gy_text_bytes(out, part[i], bytes[i]);
        if (i)
            gy_text_char(out, '-');
    }
    return found;
}

static bool same_name(const char *a, const char *b, uint32_t parts, bool extension)
{
    gy_text of_a = {0}, of_b = {0};
    last_parts(a, parts, extension, &of_a);
    last_parts(b, parts, extension, &of_b);
    bool same = !strcmp(gy_text_str(&of_a), gy_text_str(&of_b));
    gy_text_free(&of_a);
    gy_text_free(&of_b);
    return same;
}

// The first part of a path that is not ".", and its length: 0 where there is none.
static const char *next_part(const char *path, size_t *bytes)
{
    do {
        path += strspn(path, "/");
        *bytes = strcspn(path, "/");
        if (*bytes != 1 || *path != '.')
            return path;
        path++;
    } while (true);
}

static bool same_path(const char *a, const char *b)
{
    if ((*a == '/') != (*b == '/'))
        return false;
    size_t of_a, of_b;
    do {
        a = next_part(a, &of_a);
        b = next_part(b, &of_b);
        if (of_a != of_b || memcmp(a, b, of_a) != 0)
            return false;
        a += of_a;
        b += of_b;
    } while (of_a);
    return true;
}

// Does some other model go by the same name, if names have so many parts?
static bool is_shared(const gy_arguments *arguments, const char *model, uint32_t parts,
                      bool extension)
{
    for (size_t i = 0; i < arguments->paths.n; i++) {
        const char *other = arguments->paths.at[i];
        if (same_name(model, other, parts, extension) && !same_path(model, other))
            return true;
    }
    return false;
}

static void add_own_name(const gy_arguments *arguments, const char *model, gy_text *out)
{
    for (int extension = 0; extension < 2; extension++)
        for (uint32_t parts = 1; parts <= MAX_FOLDERS; parts++) {
            gy_text name = {0};
            bool more = last_parts(model, parts, extension, &name) == parts;
            bool good = !is_shared(arguments, model, parts, extension);
            if (good)
                gy_text_add(out, gy_text_str(&name));
            gy_text_free(&name);
            if (good)
                return;
            if (!more)
                break;
        }
    last_parts(model, MAX_FOLDERS, true, out);
}

// Is the file's name, with or without what follows the dot, the end of this one?
static bool may_be_called(const char *model, const char *name)
{
    const char *slash = strrchr(model, '/'), *base = slash ? slash + 1 : model;
    const char *dot = strrchr(base, '.');
    size_t n = strlen(name), whole = strlen(base), stem = dot ? (size_t)(dot - base) : whole;
    return (whole <= n && !memcmp(name + n - whole, base, whole)) ||
           (stem <= n && !memcmp(name + n - stem, base, stem));
}

// Of the models before number `end`, how many others go by that name before numbers are given?
static uint64_t count_named(const gy_arguments *arguments, const char *name, size_t end,
                            const char *model)
{
    uint64_t count = 0;
    for (size_t i = 0; i < end; i++) {
        const char *other = arguments->paths.at[i];
        gy_text its = {0};
        if (!may_be_called(other, name) || (model && same_path(model, other)))
            continue;
        add_own_name(arguments, other, &its);
        count += !strcmp(gy_text_str(&its), name);
        gy_text_free(&its);
    }
    return count;
}

static size_t first_place(const gy_arguments *arguments, size_t model)
{
    size_t first = 0;
    while (!same_path(arguments->paths.at[first], arguments->paths.at[model]))
        first++;
    return first;
}

static void add_name(const gy_arguments *arguments, size_t model, gy_text *out)
{
    const char *path = arguments->paths.at[model];
    gy_text name = {0}, numbered = {0};
    add_own_name(arguments, path, &name);
    uint64_t before =
        count_named(arguments, gy_text_str(&name), first_place(arguments, model), path);
    gy_text_add(&numbered, gy_text_str(&name));
    for (uint64_t number = 2; before > 0; number++) {
        gy_text_clear(&numbered);
        gy_text_printf(&numbered, "%s-%llu", gy_text_str(&name), (unsigned long long)number);
        before -= !count_named(arguments, gy_text_str(&numbered), arguments->paths.n, NULL);
    }
    gy_text_add(out, gy_text_str(&numbered));
    gy_text_free(&name);
    gy_text_free(&numbered);
}

void gy_report_file(const gy_arguments *arguments, const char *path, size_t model, gy_text *out)
{
    for (; *path; path++) {
        if (*path == '%' && arguments->paths.n > 0 && arguments->command != GY_ON_TEST)
            add_name(arguments, model, out);
        else
            gy_text_char(out, *path);
    }
}

// Everything of a report that can be about several models is in one file unless `%` is there.
static const struct {
    gy_option_id option;
    bool joins;
} files[] = {
    {GY_OPT_CHECKPOINT, false},
    {GY_OPT_RESUME, false},
#define RENDERER(id, name, commands, help)
#define REPORT(id, name, commands, end, help) {GY_OPT_##id, (end) != NULL},
#include "report/renderers.def"
    {GY_OPT_CODE_QUALITY, true},
};

static bool is_regular(const char *path)
{
    struct stat info;
    return !strcmp(path, "/dev/null") || stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

bool gy_report_files_suffice(const gy_arguments *arguments, gy_text *why)
{
    if (arguments->paths.n < 2)
        return true;
    if (gy_given(arguments, GY_OPT_TRAIL))
        gy_text_add(why, "--trail supports one model only");
    for (size_t i = 0; i < sizeof files / sizeof *files && !why->n; i++) {
        const char *path = arguments->value[files[i].option].text;
        const char *name = gy_option_table[files[i].option].name;
        bool checkpoint = i < 2;
        if (!path || (!checkpoint && strchr(path, '%')))
            continue;
        if (checkpoint)
            gy_text_printf(why, "%s supports one model only", name);
        else if (!files[i].joins)
            gy_text_printf(
                why,
                "%s supports one model only\n  hint: for several models, write %% in place "
                "of the name, as in report-%%.html",
                name);
        else if (!is_regular(path))
            gy_text_printf(
                why, "cannot write the reports of several models to %s: it is not a regular file",
                path);
    }
    return !why->n;
}

// ---- before anything is verified ----------------------------------------------------------------

typedef struct report_file {
    char *path;
    const char *option, *model;
    bool joins; // it is about all models
} report_file;
typedef GY_VEC(report_file) report_files;

static void list_files(const gy_arguments *arguments, report_files *list)
{
    enum { OTHERS = 5 }; // that have no name for each model
    static const gy_option_id reports[] = {
        GY_OPT_TRAIL,        GY_OPT_CHECKPOINT, GY_OPT_RESUME, GY_OPT_CSV, GY_OPT_SVG,
#define RENDERER(id, name, commands, help)
#define REPORT(id, name, commands, end, help) GY_OPT_##id,
#include "report/renderers.def"
        GY_OPT_CODE_QUALITY,
    };
    for (size_t r = 0; r < sizeof reports / sizeof *reports; r++) {
        const char *path = arguments->value[reports[r]].text;
        for (size_t m = 0; path && m < arguments->paths.n; m++) {
            gy_text file = {0};
            if (r < OTHERS)
                gy_text_add(&file, path);
            else
                gy_report_file(arguments, path, m, &file);
            report_file one = {gy_text_take(&file), gy_option_table[reports[r]].name,
                               arguments->paths.at[m], !strchr(path, '%')};
            gy_vec_push(list, one);
        }
    }
}

// A search may go on in the file that it comes from.
static bool is_checkpoint(const report_file *file)
{
    return !strcmp(file->option, gy_option_table[GY_OPT_CHECKPOINT].name) ||
           !strcmp(file->option, gy_option_table[GY_OPT_RESUME].name);
}

static bool collide(const report_file *a, const report_file *b)
{
    if (!same_path(a->path, b->path) || !strcmp(a->path, "/dev/null") ||
        (is_checkpoint(a) && is_checkpoint(b)))
        return false;
    return a->option != b->option || (!a->joins && !same_path(a->model, b->model));
}

bool gy_report_files_differ(const gy_arguments *arguments, gy_text *why)
{
    report_files list = {0};
    for (list_files(arguments, &list); list.n; list.n--) {
        const report_file *last = &list.at[list.n - 1];
        for (size_t i = 0; i + 1 < list.n && !why->n; i++)
            if (collide(&list.at[i], last))
                gy_text_printf(why, "%s would be written twice, as %s of %s and %s of %s",
                               last->path, list.at[i].option, list.at[i].model, last->option,
                               last->model);
        free(last->path);
    }
    gy_vec_free(&list);
    return !why->n;
}
