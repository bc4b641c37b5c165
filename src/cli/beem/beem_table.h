// The rows of a run over a set: as CSV (and back, to go on with), as lines for people, as JSON.
//
// Owner: a table owns its rows; the set must outlive it.
#ifndef GYRE_CLI_BEEM_BEEM_TABLE_H
#define GYRE_CLI_BEEM_BEEM_TABLE_H

#include "cli/beem/beem_run.h"

typedef struct beem_row {
    const beem_instance *instance;
    const beem_task *task;
    beem_result result;
    bool taken_over; // from an earlier run
    bool asked; // it is one of those that were asked for; the others are kept for the file alone
} beem_row;

typedef struct beem_table {
    GY_VEC(beem_row) rows;
} beem_table;

// Adds the rows of an earlier run that are about these tasks and need no second try (no limit, no
// error). False: it cannot be read; *problem.
bool beem_table_resume(beem_table *table, const beem_set *set, const char *path, gy_text *problem);
beem_row *beem_table_find(const beem_table *table, const beem_task *task); // or NULL
void beem_table_free(beem_table *table);

void beem_csv_head(gy_text *out);
void beem_csv_row(const beem_row *row, gy_text *out);

void beem_line(const beem_row *row, const gy_style *style, gy_text *out);
void beem_summary(const beem_table *table, const gy_style *style, gy_text *out);
json_t *beem_json(const beem_table *table);

#endif
