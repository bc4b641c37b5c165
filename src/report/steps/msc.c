#include "report/steps/msc.h"

#include "exec/describe/naming.h"

#include <string.h>

enum { WIDTH = 20, LIFELINE = 2, NUMBER = 5 };

// A row of the chart: each cell is one character of up to four bytes.
typedef struct row {
    char (*cells)[5];
    size_t n;
} row;

static row row_new(size_t columns, size_t width)
{
    row r = {.n = columns * width + 200};
    r.cells = gy_alloc(r.n * sizeof *r.cells);
    for (size_t i = 0; i < r.n; i++)
        strcpy(r.cells[i], " ");
    return r;
}

static void row_put(row *r, size_t at, const char *text)
{
    while (*text && at < r->n) {
        size_t bytes = 1;
        while (((unsigned char)text[bytes] & 0xC0) == 0x80 && bytes < 4)
            bytes++;
        memcpy(r->cells[at], text, bytes);
        r->cells[at++][bytes] = '\0';
        text += bytes;
    }
}

static void row_write(row *r, gy_text *out)
{
    size_t end = r->n;
    while (end > 0 && strcmp(r->cells[end - 1], " ") == 0)
        end--;
    for (size_t i = 0; i < end; i++)
        gy_text_add(out, r->cells[i]);
    gy_text_char(out, '\n');
    free(r->cells);
}

static size_t line_of(const gy_msc *msc, int32_t pid)
{
    return (size_t)pid * msc->width + LIFELINE;
}

static void write_number(const gy_msc *msc, uint64_t number, gy_text *out)
{
    gy_text_printf(out, "%*llu  ", (int)msc->number, (unsigned long long)number);
}

void gy_msc_begin(gy_msc *msc, const gy_path *path, gy_text *out)
{
    const gy_path_state *start = &path->moments.at[0];
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    size_t longest = 0;
    for (uint32_t t = 0; t < path->system->model->template_count; t++) {
        size_t n = gy_columns(path->system->model->templates[t].name) + 6;
        longest = n > longest ? n : longest;
    }
    gy_decoded_state_open(scene, path->worker, start->state, start->words);
    *msc = (gy_msc){.width = longest > WIDTH ? longest : WIDTH,
                    .columns = scene->view.process_count,
                    .number = NUMBER};
    row r = row_new(msc->columns, msc->width);
    for (uint32_t p = 0; p < msc->columns; p++) {
        gy_text name = {0};
        gy_name_scene_process(scene, (int32_t)p, &name);
        row_put(&r, (size_t)p * msc->width, gy_text_str(&name));
        gy_text_free(&name);
    }
    gy_blanks(out, msc->number + 2);
    row_write(&r, out);
    free(scene);
}

static row lifelines(const gy_msc *msc)
{
    row r = row_new(msc->columns, msc->width);
    for (uint32_t p = 0; p < msc->columns; p++)
        row_put(&r, line_of(msc, (int32_t)p), "│");
    return r;
}

static void put_arrow(const gy_msc *msc, row *r, const gy_report_step *told)
{
    size_t from = line_of(msc, told->actor.pid), to = line_of(msc, told->partner->pid);
    bool rightwards = from < to;
    size_t left = rightwards ? from : to, right = rightwards ? to : from;
    gy_text label = {0};
    for (size_t i = left + 1; i < right; i++)
        row_put(r, i, "─");
    row_put(r, from, rightwards ? "├" : "┤");
    row_put(r, rightwards ? to - 1 : to + 1, rightwards ? "▶" : "◀");
    gy_text_printf(&label, " %s!%s ", told->moved->channel, told->moved->contents);
    size_t width = gy_columns(gy_text_str(&label)), room = right - left - 3;
    if (width <= room)
        row_put(r, left + 1 + (room - width) / 2 + (rightwards ? 0 : 1), gy_text_str(&label));
    else
        row_put(r, right + 1, gy_text_str(&label));
    gy_text_free(&label);
}

static void put_mark(const gy_msc *msc, row *r, const gy_report_step *told)
{
    gy_text label = {0};
    gy_text_printf(&label, "●%s %s%c%s", told->moved->is_send ? "→" : "←", told->moved->channel,
                   told->moved->is_send ? '!' : '?', told->moved->contents);
    row_put(r, line_of(msc, told->actor.pid), gy_text_str(&label));
    gy_text_free(&label);
}

void gy_msc_step(gy_msc *msc, const gy_report_step *told, gy_text *out)
{
    if (told->moved) {
        row r = lifelines(msc);
        if (told->partner)
            put_arrow(msc, &r, told);
        else
            put_mark(msc, &r, told);
        write_number(msc, told->number, out);
        row_write(&r, out);
    }
    for (size_t i = 0; i < told->change_count; i++) {
        const gy_change *change = &told->changes[i];
        if (change->kind == GY_CHANGE_STARTS) {
            msc->columns = (uint32_t)change->pid + 1;
            row r = lifelines(msc);
            row_put(&r, (size_t)change->pid * msc->width, change->name);
            write_number(msc, told->number, out);
            row_write(&r, out);
        } else if (change->kind == GY_CHANGE_ENDS) {
            row r = lifelines(msc);
            row_put(&r, line_of(msc, change->pid), "╵ ends");
            write_number(msc, told->number, out);
            row_write(&r, out);
            msc->columns = (uint32_t)change->pid;
        }
    }
    for (uint32_t i = 0; i < told->print_count; i++) {
        row r = lifelines(msc);
        gy_text label = {0};
        const char *text = told->prints[i];
        size_t length = strlen(text);
        while (length > 0 && text[length - 1] == '\n')
            length--;
        gy_text_add(&label, "│ \"");
        gy_text_bytes(&label, text, length);
        gy_text_char(&label, '"');
        if (length > 0) {
            row_put(&r, line_of(msc, told->actor.pid), gy_text_str(&label));
            write_number(msc, told->number, out);
            row_write(&r, out);
        } else {
            free(r.cells);
        }
        gy_text_free(&label);
    }
}
