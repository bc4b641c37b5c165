// gyre beem DIR: a benchmark set, run and compared with what is recorded of it.
#include "base/new_file.h"
#include "cli/beem/beem_select.h"
#include "cli/beem/beem_table.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "report/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct job {
    const gy_arguments *arguments;
    gy_style style;
    beem_set set;
    beem_selection *selection;
    beem_table table;
    gy_new_file csv; // open, or nothing
    const char *csv_path;
    atomic_int *interrupt;
} job;

enum { REACH = 1, LTL = 2, NONE = 4 }; // positions of the words of --properties

static bool is_wanted(const job *j, const beem_instance *instance, const beem_task *task)
{
    uint64_t chosen = j->arguments->value[GY_OPT_PROPERTIES].number;
    if (!gy_given(j->arguments, GY_OPT_PROPERTIES))
        chosen = REACH | LTL;
    bool counts = task->kind == BEEM_COUNTS;
    bool has_record = counts ? instance->recorded : task->answer != NULL;
    if (!beem_selected(j->selection, instance) ||
        (gy_given(j->arguments, GY_OPT_RECORDED) && !has_record))
        return false;
    return (counts && !gy_given(j->arguments, GY_OPT_NO_COUNTS)) ||
           (task->kind == BEEM_REACH && (chosen & REACH)) ||
           (task->kind == BEEM_LTL && (chosen & LTL));
}

// ---- the file -------------------------------------------------------------------------------

static bool put_csv(job *j, const beem_row *row)
{
    gy_text line = {0};
    if (!j->csv.file)
        return true;
    if (row)
        beem_csv_row(row, &line);
    else
        beem_csv_head(&line);
    FILE *file = j->csv.file;
    long at = ftell(file);
    bool good = fwrite(gy_text_str(&line), 1, line.n, file) == line.n && fflush(file) == 0;
    int error = errno;
    if (!good && at >= 0)
        (void)!ftruncate(fileno(file), at); // no half of a row
    errno = error;
    gy_text_free(&line);
    return good;
}

// Begins the file with what is taken over: in another one first, so that an earlier run is not lost
// whatever happens.
static bool open_csv(job *j)
{
    if (!j->csv_path)
        return true;
    bool good = gy_new_file_open(&j->csv, j->csv_path, GY_NAMED) && put_csv(j, NULL);
    for (size_t i = 0; good && i < j->table.rows.n; i++)
        good = put_csv(j, &j->table.rows.at[i]);
    good = good && gy_new_file_publish(&j->csv);
    if (!good)
        gy_new_file_drop(&j->csv);
    return good;
}

static int complain_csv(const job *j)
{
    return gy_complain(j->arguments, "cannot write %s: %s", j->csv_path, strerror(errno));
}

// ---- running --------------------------------------------------------------------------------

static void show(const job *j, const beem_row *row)
{
    gy_text line = {0};
    if (gy_given(j->arguments, GY_OPT_JSON) ||
        (gy_given(j->arguments, GY_OPT_QUIET) && row->result.status == BEEM_EQUAL))
        return;
    beem_line(row, &j->style, &line);
    gy_put(&line);
    gy_text_free(&line);
}

// False: the file cannot be written.
static bool run_all(job *j)
{
    for (size_t i = 0; i < j->set.instances.n; i++) {
        const beem_instance *instance = j->set.instances.at[i];
        for (size_t t = 0; t < instance->tasks.n && !*j->interrupt; t++) {
            const beem_task *task = &instance->tasks.at[t];
            if (!is_wanted(j, instance, task))
                continue;
            beem_row *earlier = beem_table_find(&j->table, task);
            if (earlier) {
                earlier->asked = true;
                show(j, earlier);
                continue;
            }
            beem_row row = {.instance = instance, .task = task, .asked = true};
            beem_run(j->arguments, instance, task, j->interrupt, &row.result);
            if (*j->interrupt && row.result.status > BEEM_UNRECORDED)
                break;
            gy_vec_push(&j->table.rows, row);
            show(j, &row);
            if (!put_csv(j, &row))
                return false;
        }
    }
    return true;
}

static void tell(const job *j)
{
    gy_text out = {0};
    if (gy_given(j->arguments, GY_OPT_JSON)) {
        json_t *report = gy_json_report("beem"), *rows = beem_json(&j->table);
        json_object_update(report, rows);
        json_decref(rows);
        json_object_set_new(report, "folder", gy_json_string(j->arguments->files[0]));
        json_object_set_new(report, "complete", json_boolean(!*j->interrupt));
        gy_json_dump(report, &out, false);
    } else {
        beem_summary(&j->table, &j->style, &out);
        gy_text_add(&out, *j->interrupt ? "interrupted: use --resume to continue\n" : "");
    }
    gy_put(&out);
    gy_text_free(&out);
}

static int status_of(const job *j)
{
    bool any[BEEM_STATUSES] = {false};
    for (size_t i = 0; i < j->table.rows.n; i++)
        if (j->table.rows.at[i].asked)
            any[j->table.rows.at[i].result.status] = true;
    if (any[BEEM_DIFFERS])
        return GY_EXIT_VIOLATED;
    if (any[BEEM_ERROR])
        return GY_EXIT_WRONG;
    return any[BEEM_LIMIT] || *j->interrupt ? GY_EXIT_INCONCLUSIVE : GY_EXIT_HOLDS;
}

// Reads all that is needed. 0, or the exit status after having complained.
static int prepare(job *j)
{
    const gy_arguments *arguments = j->arguments;
    const char *resume = arguments->value[GY_OPT_RESUME].text;
    gy_text problem = {0};
    j->csv_path = gy_given(arguments, GY_OPT_CSV) ? arguments->value[GY_OPT_CSV].text : resume;
    j->selection = beem_selection_read(arguments->value[GY_OPT_SELECT].text, &problem);
    bool good = j->selection && beem_set_read(&j->set, arguments->files[0], &problem) &&
                (!resume || beem_table_resume(&j->table, &j->set, resume, &problem));
    int status = 0;
    if (!good)
        status = gy_complain(arguments, "%s", gy_text_str(&problem));
    else if (!open_csv(j))
        status = complain_csv(j);
    gy_text_free(&problem);
    return status;
}

int gy_command_beem(const gy_arguments *arguments)
{
    job j = {.arguments = arguments, .style = gy_command_style(arguments)};
    gy_progress progress;
    if (!beem_xml_is_there())
        return gy_complain(arguments, "reading XML descriptions needs expat, but Gyre was built "
                                      "without it\n  hint: install libexpat1-dev and rebuild Gyre");
    int status = prepare(&j);
    if (!status) {
        gy_request *request = gy_request_new();
        gy_progress_begin(&progress, request, true);
        j.interrupt = request->interrupt;
        bool written = run_all(&j);
        gy_progress_end(&progress);
        tell(&j);
        status = written ? status_of(&j) : complain_csv(&j);
        gy_request_free(request);
    }
    if (j.csv.file && !gy_new_file_close(&j.csv) && !status)
        status = complain_csv(&j);
    beem_selection_free(j.selection);
    beem_table_free(&j.table);
    beem_set_free(&j.set);
    return status;
}
