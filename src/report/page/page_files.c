#include "report/page/page_files.h"

#include <stdbool.h>
#include <string.h>

// The bytes of a file, as they are in the source tree. The assembler finds it.
#define SHARED(id, name, type)                                                                     \
    __asm__(".section .rodata\n"                                                                   \
            ".global gyre_shared_" #id "\n.hidden gyre_shared_" #id "\n"                           \
            ".global gyre_shared_" #id "_end\n.hidden gyre_shared_" #id "_end\n"                   \
            "gyre_shared_" #id ":\n.incbin \"src/report/page/" name "\"\n"                         \
            "gyre_shared_" #id "_end:\n.byte 0\n.previous\n");                                     \
    extern const char gyre_shared_##id[], gyre_shared_##id##_end[];
#include "report/page/page_files.def"

static const gy_page_file files[] = {
#define SHARED(id, name, type) {name, type, gyre_shared_##id, gyre_shared_##id##_end},
#include "report/page/page_files.def"
};

const gy_page_file *gy_page_file_find(const char *name)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

static bool begins(const char *line, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - line) >= n && memcmp(line, word, n) == 0;
}

// An import takes one line in these files.
static void add_script(const gy_page_file *file, gy_text *out)
{
    for (const char *line = file->begin; line < file->end;) {
        const char *stop = memchr(line, '\n', (size_t)(file->end - line));
        const char *next = stop ? stop + 1 : file->end;
        if (begins(line, next, "export "))
            line += strlen("export ");
        if (!begins(line, next, "import "))
            gy_text_bytes(out, line, (size_t)(next - line));
        line = next;
    }
}

void gy_page_scripts(gy_text *out)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strncmp(files[i].type, "text/javascript", strlen("text/javascript")) == 0)
            add_script(&files[i], out);
}
