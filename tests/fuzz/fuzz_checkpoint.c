// Fuzz target: any bytes as what a checkpoint holds, between a magic number and a checksum that are
// right. The first byte says which search (of states, or of a product) and which store are to go on
// from it.
//
// A checkpoint may be nonsense: then the search refuses it or finds nonsense. It must not touch
// memory that is not its own, and it must end.
//
// With GYRE_FUZZ_SEEDS=FOLDER in the environment it writes true checkpoints there, as seeds, and
// ends: their format follows the stores, so that none are kept in the repository.
#include "search/search.h"

#include "toy_observer.h"

#include "base/atomic_file.h"
#include "base/file.h"
#include "store/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A system that takes any words for a state, so that what is met is the searches' own.
static toy graph = {.seed = 5,
                    .nodes = 500,
                    .degree = 3,
                    .reach = 40,
                    .padding = 3,
                    .weighted = true,
                    .varied = true,
                    .fault_rate = 90,
                    .dead_rate = 60};

// Larger ones make poor seeds: nearly all that changes is what states are stored.
enum { LARGEST = 65536 };
enum { STORES = GY_STORE_AUTOMATON + 1, STATES = 2 * STORES, WAYS = STATES + TOY_OBSERVERS };

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

// Of states, or of a product.
static void go(gy_system *system, unsigned way, const gy_search_options *options)
{
    if (way < STATES) {
        gy_search_result_free(gy_search(system, options));
        return;
    }
    toy_observer o = {.t = &graph, .kind = way - STATES, .rare = UINT32_MAX};
    gy_observer observer = toy_observe(&o);
    gy_fairness fairness = o.kind == TOY_MANY ? GY_FAIRNESS_STRONG : GY_FAIRNESS_NONE;
    gy_product_result_free(gy_product_search(system, &observer, fairness, options));
    gy_vec_free(&o.numbers);
}

static void write_seeds(const char *folder)
{
    gy_system *system = toy_system(&graph);
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
            go(system, way, &options);
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
    gy_system_free(system);
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
    gy_system *system = toy_system(&graph);
    unsigned way = data[0] % WAYS;
    gy_search_options options = options_of(way);
    options.resume_file = path;
    options.time_limit = 2; // what was never a search may go on for ever: limits must hold
    go(system, way, &options);
    gy_system_free(system);
    unlink(path);
    return 0;
}
