#include "cli/beem/beem_table.h"

#include "base/file.h"
#include "report/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- CSV ------------------------------------------------------------------------------------

static const char *const columns[] = {"instance",    "type",
                                      "class",       "kind",
                                      "property",    "status",
                                      "recorded",    "found",
                                      "states",      "recorded_states",
                                      "transitions", "recorded_transitions",
                                      "depth",       "recorded_levels",
                                      "length",      "recorded_length",
                                      "seconds",     "memory_bytes",
                                      "message"};
enum { COLUMNS = sizeof columns / sizeof *columns };

// A spreadsheet takes a cell that begins so for a formula; after a ' it is text.
static bool is_formula(const char *text)
{
    text += strspn(text, "'");
    return *text && strchr("=+-@\t", *text);
}

static void add_field(gy_text *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n") && !is_formula(text)) {
        gy_text_add(out, text);
        return;
    }
    gy_text_add(out, is_formula(text) ? "\"'" : "\"");
    for (; *text; text++) {
        if (*text == '"')
            gy_text_char(out, '"');
        gy_text_char(out, *text == '\n' || *text == '\r' ? ' ' : *text);
    }
    gy_text_char(out, '"');
}

static void field(gy_text *out, const char *text)
{
    gy_text_char(out, ',');
    add_field(out, text);
}

static void number_field(gy_text *out, uint64_t number, bool known)
{
    char text[24] = "";
    if (known)
        snprintf(text, sizeof text, "%" PRIu64, number);
    field(out, text);
}

void beem_csv_head(gy_text *out)
{
    for (size_t i = 0; i < COLUMNS; i++)
        gy_text_printf(out, "%s%s", i ? "," : "", columns[i]);
    gy_text_char(out, '\n');
}

static const char *recorded_text(const beem_row *row)
{
    if (row->task->kind == BEEM_COUNTS)
        return row->instance->recorded ? "complete" : "";
    return row->task->answer ? row->task->answer : "";
}

void beem_csv_row(const beem_row *row, gy_text *out)
{
    const beem_result *r = &row->result;
    const beem_instance *i = row->instance;
    char seconds[32];
    bool counts = row->task->kind == BEEM_COUNTS;
    snprintf(seconds, sizeof seconds, "%.3f", r->seconds);
    gy_text line = {0};
    add_field(&line, i->name);
    field(&line, i->model->type);
    field(&line, i->model->class);
    field(&line, beem_kind_text(row->task->kind));
    field(&line, row->task->property);
    field(&line, beem_status_text(r->status));
    field(&line, recorded_text(row));
    field(&line, r->found);
    number_field(&line, r->states, true);
    number_field(&line, i->states, counts);
    number_field(&line, r->transitions, true);
    number_field(&line, i->edges, counts && i->has_structure);
    number_field(&line, r->depth, true);
    number_field(&line, i->levels, counts && i->has_structure);
    number_field(&line, r->length, true);
    number_field(&line, row->task->length, !counts);
    field(&line, seconds);
    number_field(&line, r->memory, true);
    field(&line, r->message);
    gy_text_bytes(out, gy_text_str(&line), line.n);
    gy_text_char(out, '\n');
    gy_text_free(&line);
}

// Splits a line in its place. Returns where the next one begins; *n is how many fields there are,
// COLUMNS + 1 if there are too many.
static char *split(char *at, char *fields[COLUMNS], size_t *n)
{
    *n = 0;
    for (;;) {
        bool quoted = *at == '"';
        char *out = at += quoted, *begin = at;
        while (*at && (quoted || !strchr(",\r\n", *at))) {
            if (quoted && at[0] == '"' && at[1] != '"')
                break;
            at += quoted && at[0] == '"';
            *out++ = *at++;
        }
        at += quoted && *at == '"';
        char end = *at;
        at += end != '\0';
        *out = '\0';
        if (*n < COLUMNS)
            fields[*n] = begin + (*begin == '\'' && is_formula(begin));
        ++*n;
        if (end == '\r' && *at == '\n')
            at++;
        if (end != ',')
            return at;
    }
}

static const beem_task *find_task(const beem_set *set, char *const *fields,
                                  const beem_instance **instance)
{
    for (size_t i = 0; i < set->instances.n; i++) {
        *instance = set->instances.at[i];
        if (strcmp((*instance)->name, fields[0]) != 0)
            continue;
        for (size_t t = 0; t < (*instance)->tasks.n; t++) {
            const beem_task *task = &(*instance)->tasks.at[t];
            if (!strcmp(beem_kind_text(task->kind), fields[3]) &&
                !strcmp(task->property, fields[4]))
                return task;
        }
    }
    return NULL;
}

static void take_over(beem_table *table, const beem_set *set, char *const *f)
{
    beem_row row = {.taken_over = true};
    beem_result *r = &row.result;
    for (r->status = 0; r->status < BEEM_STATUSES; r->status++)
        if (!strcmp(beem_status_text(r->status), f[5]))
            break;
    row.task = find_task(set, f, &row.instance);
    if (!row.task || r->status > BEEM_UNRECORDED || beem_table_find(table, row.task))
        return;
    snprintf(r->found, sizeof r->found, "%s", f[7]);
    snprintf(r->message, sizeof r->message, "%s", f[18]);
    r->states = strtoull(f[8], NULL, 10);
    r->transitions = strtoull(f[10], NULL, 10);
    r->depth = strtoull(f[12], NULL, 10);
    r->length = strtoull(f[14], NULL, 10);
    r->seconds = strtod(f[16], NULL);
    r->memory = strtoull(f[17], NULL, 10);
    gy_vec_push(&table->rows, row);
}

bool beem_table_resume(beem_table *table, const beem_set *set, const char *path, gy_text *problem)
{
    gy_file file;
    gy_text head = {0};
    if (!gy_file_read(path, NULL, &file)) {
        gy_text_printf(problem, "cannot read %s: %s", path, file.problem);
        return false;
    }
    beem_csv_head(&head);
    bool good = !strncmp(file.text, gy_text_str(&head), head.n);
    if (!good)
        gy_text_printf(problem, "%s is not a table that gyre beem wrote", path);
    for (char *at = file.text + (good ? head.n : 0); good && *at;) {
        char *fields[COLUMNS];
        size_t n;
        bool whole = strchr(at, '\n') != NULL; // the last line may have been cut off
        at = split(at, fields, &n);
        if (n == COLUMNS && whole)
            take_over(table, set, fields);
    }
    gy_text_free(&head);
    gy_file_free(&file);
    return good;
}

beem_row *beem_table_find(const beem_table *table, const beem_task *task)
{
    for (size_t i = 0; i < table->rows.n; i++)
        if (table->rows.at[i].task == task)
            return &table->rows.at[i];
    return NULL;
}

void beem_table_free(beem_table *table)
{
    gy_vec_free(&table->rows);
}

// ---- for people -----------------------------------------------------------------------------

static const char *colour(const gy_style *style, beem_status status)
{
    if (status == BEEM_EQUAL)
        return style->good;
    return status == BEEM_DIFFERS || status == BEEM_ERROR ? style->bad : style->unsure;
}

static void what(const beem_row *row, char *text, size_t room)
{
    snprintf(text, room, "%s%s%s", beem_kind_text(row->task->kind), *row->task->property ? " " : "",
             row->task->property);
}

void beem_line(const beem_row *row, const gy_style *style, gy_text *out)
{
    const beem_result *r = &row->result;
    gy_text recorded = {0}, found = {0};
    char kind[64];
    what(row, kind, sizeof kind);
    if (row->task->kind == BEEM_COUNTS) {
        gy_text_add(&recorded, row->instance->recorded ? "" : ">= ");
        gy_text_count(&recorded, row->instance->states);
        gy_text_count(&found, r->states);
    } else {
        gy_text_add(&recorded, *recorded_text(row) ? recorded_text(row) : "?");
        gy_text_add(&found, *r->found ? r->found : "?");
    }
    gy_pad(out, row->instance->name, 22);
    gy_pad(out, kind, 10);
    gy_text_printf(out, "%16s %14s  %s", gy_text_str(&recorded), gy_text_str(&found),
                   colour(style, r->status));
    gy_pad(out, beem_status_text(r->status), 11);
    gy_text_add(out, style->off);
    if (row->taken_over)
        gy_text_add(out, "(earlier)");
    else
        gy_text_seconds(out, r->seconds);
    if (r->status != BEEM_EQUAL && r->message[0])
        gy_text_printf(out, "  %s", r->message);
    gy_text_char(out, '\n');
    gy_text_free(&recorded);
    gy_text_free(&found);
}

static void count(const beem_table *table, uint64_t counts[BEEM_STATUSES], uint64_t *states)
{
    memset(counts, 0, BEEM_STATUSES * sizeof *counts);
    *states = 0;
    for (size_t i = 0; i < table->rows.n; i++) {
        const beem_row *row = &table->rows.at[i];
        if (!row->asked)
            continue;
        counts[row->result.status]++;
        if (row->task->kind == BEEM_COUNTS && row->result.status == BEEM_EQUAL)
            *states += row->result.states;
    }
}

void beem_summary(const beem_table *table, const gy_style *style, gy_text *out)
{
    uint64_t counts[BEEM_STATUSES], states;
    count(table, counts, &states);
    for (size_t i = 0; i < table->rows.n; i++) {
        const beem_row *row = &table->rows.at[i];
        char kind[64];
        if (!row->asked || (row->result.status != BEEM_DIFFERS && row->result.status != BEEM_ERROR))
            continue;
        what(row, kind, sizeof kind);
        gy_text_printf(out, "%s%s%s: %s %s: %s\n", colour(style, row->result.status),
                       beem_status_text(row->result.status), style->off, row->instance->name, kind,
                       row->result.message);
    }
    uint64_t all = 0;
    for (int s = 0; s < BEEM_STATUSES; s++)
        all += counts[s];
    gy_text_count(out, all);
    gy_text_add(out, " compared or tried: ");
    for (int s = 0; s < BEEM_STATUSES; s++) {
        if (s > 0)
            gy_text_add(out, ", ");
        gy_text_count(out, counts[s]);
        gy_text_printf(out, " %s", beem_status_text((beem_status)s));
    }
    gy_text_add(out, "; ");
    gy_text_count(out, states);
    gy_text_add(out, " states as recorded\n");
}

json_t *beem_json(const beem_table *table)
{
    uint64_t counts[BEEM_STATUSES], states;
    json_t *rows = json_array(), *totals = json_object();
    count(table, counts, &states);
    for (int s = 0; s < BEEM_STATUSES; s++)
        json_object_set_new(totals, beem_status_text((beem_status)s),
                            json_integer((json_int_t)counts[s]));
    json_object_set_new(totals, "states", json_integer((json_int_t)states));
    for (size_t i = 0; i < table->rows.n; i++) {
        const beem_row *row = &table->rows.at[i];
        const beem_result *r = &row->result;
        const beem_instance *instance = row->instance;
        bool is_count = row->task->kind == BEEM_COUNTS;
        if (!row->asked)
            continue;
        json_t *o = json_pack(
            "{s:o, s:o, s:o, s:s, s:o, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:f, s:I, s:o, s:b}",
            "instance", gy_json_string(instance->name), "type",
            gy_json_string(instance->model->type), "class", gy_json_string(instance->model->class),
            "kind", beem_kind_text(row->task->kind), "property",
            gy_json_string(row->task->property), "status", beem_status_text(r->status), "recorded",
            gy_json_string(recorded_text(row)), "found", gy_json_string(r->found), "states",
            (json_int_t)r->states, "transitions", (json_int_t)r->transitions, "depth",
            (json_int_t)r->depth, "length", (json_int_t)r->length, "seconds", r->seconds,
            "memory_bytes", (json_int_t)r->memory, "message", gy_json_string(r->message), "earlier",
            row->taken_over);
        if (is_count)
            json_object_set_new(o, "recorded_states", json_integer((json_int_t)instance->states));
        if (is_count && instance->has_structure) {
            json_object_set_new(o, "recorded_transitions",
                                json_integer((json_int_t)instance->edges));
            json_object_set_new(o, "recorded_levels", json_integer((json_int_t)instance->levels));
        }
        json_array_append_new(rows, o);
    }
    return json_pack("{s:o, s:o}", "rows", rows, "totals", totals);
}
