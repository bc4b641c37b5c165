// Fuzz target: any bytes as the directory of a swarm, that a manager goes on with, and whose tasks
// and seeds workers read. All checksums are right: the code that makes such a directory can compute them.
//
// An input is a list of files: kind, number, two bytes of length, and what is in it, where a 0 and
// a byte N stand for N + 1 zeros. A directory may be nonsense: then it is refused, or the answer is
// nonsense. No memory may be touched that is not the program's own, and it must end.
//
// With GYRE_FUZZ_SEEDS=FOLDER in the environment it makes true swarms (with itself as worker),
// writes them there, as seeds, and ends.
#include "dist/swarm/swarm.h"
#include "dist/swarm/swarm_job.h"

#include "dist/swarm/start_states.h"
#include "load/load.h"

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/hash.h"
#include "exec/system.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] = "byte a, n; chan c = [2] of {byte};\n"
                           "active proctype A() { do :: a < 3 -> a++; c!a od }\n"
                           "active [2] proctype B() { byte x; do :: c?x -> n = n + x % 2 od }\n";

typedef enum { JOURNAL, TASK, ANSWER, WAY, SEEDS, KNOWN, KINDS } kind;
static const char *const names[KINDS] = {"journal", "task", "answer", "way", "seeds", "known"};

// ---- the system and its searches ----------------------------------------------------------------

static gy_system *make_system(gy_model **model)
{
    gy_diags *diags;
    *model = gy_load_model_text("fuzz.pml", text, strlen(text), NULL, &diags);
    if (!*model)
        abort();
    gy_diags_free(diags);
    return gy_system_vm(*model, false, &(gy_exec_options){0});
}

static gy_search_options options_of(const gy_engine *engine, void *data)
{
    gy_search_options options;
    gy_search_defaults(&options);
    options.engine = engine;
    options.engine_data = data;
    options.check_faults = options.check_end_states = options.check_assertions = true;
    options.threads = 1;
    options.time_limit = 5;
    options.memory_limit = (uint64_t)1 << 30;
    return options;
}

static void work(gy_system *system, const char *folder, uint64_t number, bool way)
{
    gy_worker_job_request job = {.folder = folder, .number = number, .way = way};
    gy_search_options options = options_of(&gy_engine_swarm_job, &job);
    gy_search_result_free(gy_search(system, &options));
    free(job.problem);
}

static void stop(void *user, const gy_swarm_figures *figures)
{
    (void)figures;
    *(atomic_int *)user = 1;
}

// `workers` 0: what is there is taken, and nothing is started.
static void manage(gy_system *system, const char *folder, unsigned workers, const char *guide)
{
    char program[4096] = "";
    (void)!readlink("/proc/self/exe", program, sizeof program - 1);
    const char *const none[] = {"/nowhere/worker", NULL}, *const self[] = {program, NULL};
    atomic_int over = 0;
    gy_swarm swarm = {.folder = folder,
                      .resume = workers == 0,
                      .first_record = "begin 1",
                      .workers = workers,
                      .plan_workers = 2,
                      .guide = guide,
                      .job_states = 30,
                      .progress = workers ? NULL : stop,
                      .progress_user = &over,
                      .launch.command = workers ? self : none};
    gy_search_options options = options_of(&gy_engine_swarm, &swarm);
    options.interrupt = &over;
    gy_search_result_free(gy_search(system, &options));
    gy_swarm_free(&swarm);
}

// ---- directories as bytes -----------------------------------------------------------------------

static void path_of(gy_text *out, const char *folder, kind what, unsigned number)
{
    gy_text_clear(out);
    if (what == JOURNAL)
        gy_text_printf(out, "%s/journal", folder);
    else
        gy_text_printf(out, "%s/job-%u.%s", folder, number, names[what]);
}

// Each line gets its checksum, which goes on from that of the line before.
static void write_journal(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    uint64_t hash = 0;
    for (size_t at = 0; file && at < n;) {
        const uint8_t *end = memchr(bytes + at, '\n', n - at);
        size_t length = end ? (size_t)(end - bytes) - at : n - at;
        hash = gy_hash_bytes(bytes + at, length, hash + 1);
        fprintf(file, "%016" PRIx64 " %.*s\n", hash, (int)length, (const char *)bytes + at);
        at += length + 1;
    }
    if (!file || fclose(file) != 0)
        abort();
}

// The checksums of sections that lie in the file, and that of their table.
static void write_seeds(const char *path, uint8_t *bytes, size_t n)
{
    uint64_t tail[3];
    FILE *file = fopen(path, "wb");
    if (n >= sizeof tail) {
        memcpy(tail, bytes + n - sizeof tail, sizeof tail);
        uint64_t room = n - sizeof tail;
        if (tail[0] <= room && (room - tail[0]) % sizeof(gy_start_state_section) == 0)
            tail[2] = gy_hash_bytes(bytes + tail[0], room - tail[0], 0x7365656473310a00ull);
        memcpy(bytes + n - sizeof tail, tail, sizeof tail);
    }
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        abort();
}

static void write_one(const char *folder, kind what, unsigned number, uint8_t *bytes, size_t n)
{
    gy_text path = {0};
    path_of(&path, folder, what, number);
    if (what == JOURNAL) {
        write_journal(gy_text_str(&path), bytes, n);
    } else if (what == SEEDS || what == KNOWN) {
        write_seeds(gy_text_str(&path), bytes, n);
    } else {
        gy_writer *writer = gy_writer_open(gy_text_str(&path));
        gy_write(writer, bytes, n);
        gy_writer_commit(writer);
    }
    gy_text_free(&path);
}

// The files; *jobs: the numbers of those that have a task, as bits.
static void unpack(const char *folder, const uint8_t *data, size_t size, uint64_t *jobs)
{
    for (size_t at = 0; size - at >= 4;) {
        gy_text bytes = {0};
        kind what = data[at] % KINDS;
        unsigned number = data[at + 1] % 64;
        size_t n = data[at + 2] | (size_t)data[at + 3] << 8, end = at + 4 + n;
        end = end > size ? size : end;
        for (at += 4; at < end; at++) {
            unsigned zeros = data[at] ? 0 : at + 1 < end ? data[++at] + 1u : 1;
            for (unsigned i = 0; i < zeros; i++)
                gy_text_char(&bytes, 0);
            if (!zeros)
                gy_text_char(&bytes, (char)data[at]);
        }
        if (bytes.n)
            write_one(folder, what, number, (uint8_t *)bytes.at, bytes.n);
        *jobs |= (uint64_t)(what == TASK) << number;
        gy_text_free(&bytes);
    }
}

static void pack(FILE *out, kind what, unsigned number, const char *bytes, size_t n)
{
    gy_text packed = {0};
    for (size_t i = 0; i < n; i++) {
        unsigned zeros = 0;
        while (i + zeros < n && !bytes[i + zeros] && zeros < 256)
            zeros++;
        gy_text_char(&packed, bytes[i]);
        if (zeros)
            gy_text_char(&packed, (char)(zeros - 1));
        i += zeros ? zeros - 1 : 0;
    }
    if (packed.n < 1 << 16) {
        fprintf(out, "%c%c%c%c", what, (int)number, (int)(packed.n & 255), (int)(packed.n >> 8));
        fwrite(packed.at, 1, packed.n, out);
    }
    gy_text_free(&packed);
}

static void pack_folder(FILE *out, const char *folder)
{
    gy_text path = {0};
    for (unsigned number = 0; number < 64; number++)
        for (unsigned what = 0; what < KINDS; what++) {
            gy_file file;
            path_of(&path, folder, what, number);
            if ((what == JOURNAL && number) || !gy_file_read(gy_text_str(&path), NULL, &file))
                continue;
            if (what == JOURNAL) { // without the checksums
                gy_text lines = {0};
                for (const char *at = file.text; *at; at = strchr(at, '\n') + 1)
                    gy_text_bytes(&lines, at + 17, strcspn(at + 17, "\n") + 1);
                pack(out, what, number, gy_text_str(&lines), lines.n);
                gy_text_free(&lines);
            } else if (what == SEEDS || what == KNOWN) {
                pack(out, what, number, file.text, file.bytes);
            } else {
                pack(out, what, number, file.text + 8, file.bytes - 16);
            }
            gy_file_free(&file);
        }
    gy_text_free(&path);
}

static void clear(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(folder);
}

// ---- the target ---------------------------------------------------------------------------------

static const char *const guides[] = {"none", "A", "0,1", NULL};
enum { GUIDES = sizeof guides / sizeof *guides };

static void make_seeds(const char *folder)
{
    gy_model *model;
    gy_system *system = make_system(&model);
    for (unsigned i = 0; i < GUIDES && gy_swarm_is_there(); i++) {
        char swarm[4096], seed[4096];
        snprintf(swarm, sizeof swarm, "%s/swarm", folder);
        snprintf(seed, sizeof seed, "%s/guide-%u", folder, i);
        manage(system, swarm, 2, guides[i]);
        FILE *out = fopen(seed, "wb");
        if (!out)
            abort();
        fputc((int)i, out);
        pack_folder(out, swarm);
        fclose(out);
        clear(swarm);
    }
    gy_system_free(system);
    gy_model_free(model);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *folder = getenv("GYRE_FUZZ_SEEDS"), *swarm = NULL, *number = NULL;
    bool way = false;
    for (int i = 1; i < *argc; i++) {
        swarm = strcmp((*argv)[i], "--worker-folder") == 0 ? (*argv)[i + 1] : swarm;
        number = strcmp((*argv)[i], "--worker-job") == 0 ? (*argv)[i + 1] : number;
        way = way || strcmp((*argv)[i], "--worker-way") == 0;
    }
    if (swarm && number) {
        gy_model *model;
        work(make_system(&model), swarm, strtoull(number, NULL, 10), way);
        _exit(0);
    }
    if (folder) {
        make_seeds(folder);
        exit(0);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gy_model *model;
    static gy_system *system;
    char folder[64];
    uint64_t jobs = 0;
    if (!system)
        system = make_system(&model);
    if (!size || !gy_swarm_is_there())
        return 0;
    snprintf(folder, sizeof folder, "%s/gyre-fuzz-swarm-%ld", // where fsync costs nothing
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    mkdir(folder, 0700);
    unpack(folder, data + 1, size - 1, &jobs);
    manage(system, folder, 0, guides[data[0] % GUIDES]);
    for (unsigned number = 0; number < 64; number++)
        if (jobs >> number & 1)
            work(system, folder, number, data[0] & 64);
    clear(folder);
    return 0;
}
