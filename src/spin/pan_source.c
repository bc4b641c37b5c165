#include "spin/pan_source.h"

#include "base/new_file.h"
#include "cli/command.h"
#include "spin/pan_run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static void put_string(const char *text, gy_text *out)
{
    gy_text_char(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c == '"' || c == '\\' || c == '?' || c >= 127)
            gy_text_printf(out, "\\%03o", c);
        else
            gy_text_char(out, *text);
    }
    gy_text_char(out, '"');
}

// The macros that change what pan does go on to Gyre.
static void put_macros(gy_text *out)
{
    static const char *const plain[] = {
        "SAFETY", "NP",  "NOREDUCE", "NOCLAIM", "NOFAIR",   "BFS", "BITSTATE", "HC",  "HC0",
        "HC1",    "HC2", "HC3",      "HC4",     "COLLAPSE", "MA",  "XUSAFE",   "BCS", "NOSTUTTER"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        gy_text_printf(out, "#ifdef %s\n    \"-D%s\",\n#endif\n", plain[i], plain[i]);
    gy_text_add(out, "#ifdef MEMLIM\n    \"-DMEMLIM=\" TEXT(MEMLIM),\n#endif\n");
}

static void put_source(const gy_pan *pan, const char *const *passed, size_t count,
                       const char *program, gy_text *out)
{
    gy_text_add(out, "/* Made by gyre spin -a: a verifier that calls gyre.\n"
                     "   cc -o pan pan.c; ./pan [options of pan] */\n"
                     "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\n"
                     "#define TEXT_OF(x) #x\n#define TEXT(x) TEXT_OF(x)\n\n"
                     "static const char *const fixed[] = {\n    \"spin\", \"--pan\",\n    ");
    put_string(pan->model, out);
    gy_text_add(out, ",\n");
    for (size_t i = 0; i < count; i++) {
        gy_text_add(out, "    ");
        put_string(passed[i], out);
        gy_text_add(out, ",\n");
    }
    if (pan->lossy)
        gy_text_add(out, "    \"-m\",\n");
    if (pan->never_file) {
        gy_text_add(out, "    \"-never\", ");
        put_string(pan->never_file, out);
        gy_text_add(out, ",\n");
    }
    if (pan->formula) {
        gy_text_add(out, "    \"-formula\", ");
        put_string(pan->formula, out);
        gy_text_add(out, ",\n");
    }
    put_macros(out);
    gy_text_add(out, "    \"--\",\n};\n\nstatic const char writer[] = ");
    put_string(program, out);
    gy_text_add(out, ";\n\n"
                     "int main(int argc, char **argv)\n"
                     "{\n"
                     "    size_t count = sizeof fixed / sizeof *fixed, n = 0, i;\n"
                     "    const char *own = getenv(\"GYRE\");\n"
                     "    char **args = malloc((count + (size_t)argc + 2) * sizeof *args);\n"
                     "    if (!args)\n"
                     "        return 1;\n"
                     "    args[n++] = (char *)\"gyre\";\n"
                     "    for (i = 0; i < count; i++)\n"
                     "        args[n++] = (char *)fixed[i];\n"
                     "    for (i = 1; i < (size_t)argc; i++)\n"
                     "        args[n++] = argv[i];\n"
                     "    args[n] = NULL;\n"
                     "    if (own && *own)\n"
                     "        execvp(own, args);\n"
                     "    execvp(\"gyre\", args);\n"
                     "    if (*writer)\n"
                     "        execv(writer, args);\n"
                     "    printf(\"pan: error: there is no gyre to run (set GYRE, or put it on the "
                     "PATH)\\n\");\n"
                     "    return 1;\n"
                     "}\n");
}

static bool model_is_right(const gy_pan *pan)
{
    gy_request *request = gy_request_new();
    gy_loaded_model subject = {0};
    bool read = gy_pan_read(pan, request, &subject);
    if (read)
        gy_pan_tell_claims(pan, subject.model);
    gy_loaded_model_free(&subject);
    gy_request_free(request);
    return read;
}

int gy_pan_generate(const gy_pan *pan, const char *const *passed, size_t count, const char *program)
{
    gy_text source = {0};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (!model_is_right(pan))
        return 1;
    if (n > 0) {
        self[n] = '\0';
        program = self;
    }
    put_source(pan, passed, count, program, &source);
    bool good = gy_new_file_put("pan.c", GY_IMPLIED, gy_text_str(&source), source.n);
    if (!good)
        printf("spin: cannot create pan.c: %s\n", strerror(errno));
    gy_text_free(&source);
    return good ? 0 : 1;
}
