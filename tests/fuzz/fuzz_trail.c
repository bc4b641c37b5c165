// Fuzz target: any bytes as a trail of Spin, stepped through one of a few models. The first byte
// says through which. What can be followed is written again, and that can be followed too.
#include "verify/trail/trail.h"

#include "load/load.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const models[] = {
    ("chan q = [0] of { byte }; byte x;\n"
     "active proctype S() { do :: q!x; x = (x + 1) % 3 od }\n"
     "active proctype R() { byte v; do :: q?v -> assert(v < 2) od }\n"),
    ("chan q = [2] of { mtype, byte }; mtype = { a, b };\n"
     "proctype P(byte n) { atomic { q!a,n; q!b,n } end: q?b,_ }\n"
     "init { atomic { run P(1); run P(2) } (_nr_pr == 1) -> skip }\n"),
    ("byte x; ltl p { []<>(x == 1) }\n"
     "active [2] proctype P() {\n"
     "    do :: d_step { x == 0 -> x = 1; x = 2 } :: x > 0 -> x-- :: else od }\n"),
    ("byte x; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od; assert(x != 3) }\n"
     "never { do :: x < 3 :: x == 3 -> goto accept od; accept: do :: true od }\n"),
};

enum { MODELS = sizeof models / sizeof *models };

static gy_system *system_of(unsigned i)
{
    static gy_system *systems[MODELS]; // kept for the whole run
    if (!systems[i]) {
        gy_diags *diags;
        gy_model *model = gy_load_model_text("m.pml", models[i], strlen(models[i]), NULL, &diags);
        gy_diags_free(diags);
        if (!model)
            abort();
        systems[i] = gy_system_vm(model, true, &(gy_exec_options){0});
    }
    return systems[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    gy_path *path = gy_path_new(system_of(data[0] % MODELS));
    gy_trail_problem problem = {0};
    gy_text note = {0}, again = {0};
    if (gy_trail_walk(path, (const char *)data + 1, size - 1, &problem, &note)) {
        uint64_t steps = gy_path_steps(path);
        gy_trail_text(path, &again);
        gy_text_clear(&problem.detail);
        if (!gy_trail_walk(path, gy_text_str(&again), again.n, &problem, &note) ||
            gy_path_steps(path) != steps)
            abort();
    } else if (!problem.detail.n) {
        abort(); // refused without a word
    }
    gy_text_free(&problem.detail);
    gy_text_free(&note);
    gy_text_free(&again);
    gy_path_free(path);
    return 0;
}
