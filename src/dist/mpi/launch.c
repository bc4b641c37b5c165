#include "dist/mpi/launch.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct kind {
    const char *name, *file, *package, *variables[4];
} kind;

static const kind kinds[] = {
    {"Open MPI",
     "gyre-mpi-openmpi.so",
     "libopenmpi-dev",
     {"OMPI_COMM_WORLD_SIZE", "OMPI_UNIVERSE_SIZE"}},
    {"MPICH", "gyre-mpi-mpich.so", "libmpich-dev", {"PMI_SIZE", "PMI_RANK"}},
};

static const kind *find_kind(void)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t k = 0; kinds[i].variables[k]; k++)
            if (getenv(kinds[i].variables[k]))
                return &kinds[i];
    return getenv("PMIX_RANK") ? &kinds[0] : NULL; // srun --mpi=pmix: Open MPI understands it
}

// srun starts processes that know nothing of each other, unless it is given which MPI they have.
// Each would search all states, and write its checkpoints over those of the others.
static bool is_one_of_many(const gy_transport *transport)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return transport && transport->size == 1 && tasks && atol(tasks) > 1;
}

// The first of these variables that is there says 0, or none is.
static bool is_first_by(const char *const *variables)
{
    const char *number = NULL;
    for (; *variables && !number; variables++)
        number = getenv(*variables);
    return !number || strcmp(number, "0") == 0;
}

bool gy_launched(bool *first)
{
    *first =
        is_first_by((const char *const[]){"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL});
    return find_kind() != NULL;
}

// Who cannot speak to the others cannot ask who reports. What keeps it from that is a matter of the
// machine: on each, one reports.
static bool is_first_here(void)
{
    return is_first_by((const char *const[]){"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                             "SLURM_LOCALID", NULL});
}

static void *load_from(const char *folder, const char *between, const char *file, gy_text *tried)
{
    gy_text path = {0};
    gy_text_printf(&path, "%s%s%s", folder, between, file);
    void *object = NULL;
    if (access(gy_text_str(&path), F_OK) == 0) {
        object = dlopen(gy_text_str(&path), RTLD_NOW | RTLD_GLOBAL);
        if (!object)
            gy_text_printf(tried, "%s%s", tried->n ? "; " : "", dlerror());
    }
    gy_text_free(&path);
    return object;
}

// LIBDIR may be a directory for this kind of machine.
static void *load_installed(const char *folder, const char *file, gy_text *tried)
{
    gy_text pattern = {0};
    void *object = NULL;
    glob_t found;
    gy_text_printf(&pattern, "%s/../lib/*/gyre", folder);
    if (glob(gy_text_str(&pattern), 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !object; i++)
            object = load_from(found.gl_pathv[i], "/", file, tried);
        globfree(&found);
    }
    gy_text_free(&pattern);
    return object;
}

// Next to the program, or where `make install` puts it: PREFIX/bin and LIBDIR/gyre.
static void *load(const char *file, gy_text *tried)
{
    char folder[4096];
    const char *wish = getenv("GYRE_MPI_DIR");
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    void *object = wish ? load_from(wish, "/", file, tried) : NULL;
    if (!object)
        object = load_from(folder, "/", file, tried);
    if (!object)
        object = load_from(folder, "/../lib/gyre/", file, tried);
    return object ? object : load_installed(folder, file, tried);
}

static gy_transport *find(gy_text *problem)
{
    const kind *k = find_kind();
    gy_text tried = {0};
    if (!k)
        return gy_transport_alone();
    void *object = load(k->file, &tried);
    const gy_transport_object *found = object ? dlsym(object, "gyre_mpi") : NULL;
    gy_transport *transport = NULL;
    if (!object)
        gy_text_printf(problem,
                       "--mpi: Gyre was launched by %s, but %s is not available%s%s\n  hint: "
                       "install %s and rebuild Gyre",
                       k->name, k->file, tried.n ? " that can be loaded: " : "",
                       tried.n ? gy_text_str(&tried) : "", k->package);
    else if (!found || found->abi != GY_TRANSPORT_ABI)
        gy_text_printf(problem, "--mpi: %s belongs to another version of Gyre", k->file);
    else if (!(transport = found->open()))
        gy_text_printf(problem, "--mpi: %s cannot be started", k->name);
    gy_text_free(&tried);
    return transport;
}

gy_transport *gy_launch(gy_text *problem)
{
    gy_transport *transport = find(problem);
    if (is_one_of_many(transport)) {
        transport->close(transport);
        transport = NULL;
        gy_text_printf(problem,
                       "--mpi: srun started %s processes that do not know of each other\n  hint: "
                       "use mpirun, or srun --mpi=pmix",
                       getenv("SLURM_STEP_NUM_TASKS"));
    }
    if (!transport && !is_first_here())
        gy_text_free(problem);
    return transport;
}

bool gy_launch_agree(gy_transport *transport, bool good, bool *tells)
{
    uint64_t first = good ? UINT64_MAX : transport->rank;
    transport->reduce(transport, &first, 1, GY_TRANSPORT_LEAST);
    *tells = first == transport->rank;
    return first == UINT64_MAX;
}
