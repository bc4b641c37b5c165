// The read/write matrix as the public API gives it: that of the model (model/matrix.h), or what a
// foreign object says of its groups of steps.
#include "base/fatal.h"
#include "exec/system.h"
#include "model/matrix.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)GY_ACCESS_READS == GY_READS && (int)GY_ACCESS_WRITES == GY_WRITES,
               "the two say the same");

typedef struct own_table {
    gy_access_table table; // first: what the caller has
    char **names;
    uint8_t *cells;
} own_table;

static own_table *table_new(uint32_t edges, uint32_t slots)
{
    own_table *own = gy_alloc_zero(sizeof *own);
    own->names = gy_alloc_zero((slots + 1) * sizeof *own->names);
    own->cells = gy_alloc_zero((size_t)edges * slots + 1);
    own->table = (gy_access_table){.edges = edges,
                                   .slots = slots,
                                   .names = (const char *const *)own->names,
                                   .cells = own->cells};
    return own;
}

static own_table *table_of_model(const gy_model *model)
{
    gy_matrix *matrix = gy_matrix_new(model);
    own_table *own = table_new(matrix->edges, matrix->slots);
    memcpy(own->cells, matrix->cells, (size_t)matrix->edges * matrix->slots);
    for (uint32_t s = 0; s < matrix->slots; s++) {
        gy_text name = {0};
        gy_matrix_slot_name(model, &matrix->slot[s], &name);
        own->names[s] = gy_text_take(&name);
    }
    gy_matrix_free(matrix);
    return own;
}

static uint8_t access_of(uint8_t group)
{
    uint8_t reads = group & (GY_GROUP_TESTS | GY_GROUP_READS) ? GY_ACCESS_READS : 0;
    uint8_t writes = group & (GY_GROUP_MAY_WRITE | GY_GROUP_MUST_WRITE) ? GY_ACCESS_WRITES : 0;
    return reads | writes;
}

static own_table *table_of_groups(const gy_dependencies *groups)
{
    own_table *own = table_new(groups->groups, groups->words);
    for (size_t i = 0; i < (size_t)groups->groups * groups->words; i++)
        own->cells[i] = access_of(groups->access[i]);
    for (uint32_t s = 0; s < groups->words; s++) {
        gy_text name = {0};
        gy_text_printf(&name, "word %u", s);
        own->names[s] = gy_text_take(&name);
    }
    return own;
}

gy_access_table *gy_access_table_new(const gy_system *system)
{
    gy_dependencies groups;
    own_table *own = NULL;
    if (system->model)
        own = table_of_model(system->model);
    else if (gy_system_dependencies(system, &groups))
        own = table_of_groups(&groups);
    return own ? &own->table : NULL;
}

void gy_access_table_free(gy_access_table *table)
{
    own_table *own = (own_table *)table;
    if (!own)
        return;
    for (uint32_t s = 0; s < table->slots; s++)
        free(own->names[s]);
    free(own->names);
    free(own->cells);
    free(own);
}
