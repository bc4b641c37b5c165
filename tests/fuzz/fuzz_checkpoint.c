// Fuzz target: any bytes as what a checkpoint holds, between a magic number and a checksum that are
// right. The first byte says which search and which store are to go on from it.
//
// A checkpoint may be nonsense: then the search refuses it or finds nonsense. It must not touch
// memory that is not its own, and it must end.
//
// With GYRE_FUZZ_SEEDS=FOLDER in the environment it writes true checkpoints there, as seeds, and
// ends: their format follows the stores, so that none are kept in the repository.
#include "load/load.h"
#include "search/search.h"

#include "base/file.h"
#include "base/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model_text[] =
    "chan q = [2] of { byte, bool }; byte x; bool b;\n"
    "proctype P(byte n) { byte i; do :: i < n -> i++; q!i,b :: i == n -> break od; x++ }\n"
    "active proctype R() { byte v; do :: q?v,b -> x = (x + v) % 4 :: x == 3 -> x = 0 od }\n"
    "init { run P(2); run P(3); x == 2 -> assert(b) }\n";

// Larger ones make poor seeds: nearly all that changes is what states are stored.
enum { LARGEST = 65536 };
enum { STORES = GY_STORE_AUTOMATON + 1, WAYS = 2 * STORES };

static gy_system *the_system(void)
{
    static gy_system *system; // kept for the whole run
    if (!system) {
        gy_diags *diags;
        gy_model *model = gy_load_model_text("m.pml", model_text, strlen(model_text), NULL, &diags);
        gy_diags_free(diags);
        if (!model)
            abort();
        system = gy_system_vm(model, true, &(gy_exec_options){0});
    }
    return system;
}

static gy_search_options options_of(unsigned way)
{
    gy_search_options options;
    gy_search_defaults(&options);
    options.search = way % 2 ? GY_SEARCH_DFS : GY_SEARCH_BFS;
    options.store = way / 2 % STORES;
    options.bitstate_bytes = 1 << 12;
    options.max_errors = 0;
    options.threads = 1;
    options.state_limit = 20000;
    options.time_limit = 2;
    options.memory_limit = (uint64_t)1 << 30;
    return options;
}

static void write_seeds(const char *folder)
{
    for (unsigned way = 0; way < WAYS; way++)
        for (unsigned limit = 20; limit <= 400; limit += 190) {
            char path[4096], seed[4096];
            gy_search_options options = options_of(way);
            gy_file file;
            snprintf(path, sizeof path, "%s/checkpoint", folder);
            snprintf(seed, sizeof seed, "%s/way-%u-%u", folder, way, limit);
            options.checkpoint_file = path;
            options.checkpoint_seconds = 1e-9;
            options.state_limit = limit;
            gy_search_result_free(gy_search(the_system(), &options));
            if (!gy_file_read(path, NULL, &file) || file.bytes < 16)
                continue; // this way writes none
            if (file.bytes <= LARGEST) {
                FILE *out = fopen(seed, "wb");
                if (!out)
                    abort();
                fputc((int)way, out);
                fwrite(file.text + 8, 1, file.bytes - 16, out);
                fclose(out);
            }
            gy_file_free(&file);
            unlink(path);
        }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *folder = getenv("GYRE_FUZZ_SEEDS");
    if (folder) {
        write_seeds(folder);
        exit(0);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    char path[64];
    snprintf(path, sizeof path, "/tmp/gyre-fuzz-checkpoint-%ld", (long)getpid());
    gy_writer *writer = gy_writer_open(path);
    gy_write(writer, data + 1, size - 1);
    if (!gy_writer_commit(writer))
        abort();
    gy_search_options options = options_of(data[0] % WAYS);
    options.resume_file = path;
    gy_search_result_free(gy_search(the_system(), &options));
    unlink(path);
    return 0;
}
