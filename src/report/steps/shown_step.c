#include "report/steps/shown_step.h"

#include "report/steps/location.h"
#include "report/steps/shown_values.h"
#include "report/wrap.h"
#include "verify/explain/explain.h"

#include <stdio.h>
#include <string.h>

enum { STATEMENT_COLUMNS = 36, LEAST_STATEMENT = 16, CHANGE_COLUMNS = 20, SHOWN_CHANGES = 8 };

// Narrow terminals get narrow columns: long statements and changes go on in the next line.
static void fit(gy_step_layout *layout, size_t columns)
{
    if (layout->place > columns / 3)
        layout->place = layout->short_place;
    size_t used = layout->number + 3 + layout->process + 2 + layout->place + 2 + 2;
    size_t left = columns > used + CHANGE_COLUMNS ? columns - used - CHANGE_COLUMNS : 0;
    if (layout->statement > left)
        layout->statement = left > LEAST_STATEMENT ? left : LEAST_STATEMENT;
}

gy_step_layout gy_step_layout_for(const gy_widths *widths, uint64_t steps, const gy_style *style)
{
    gy_step_layout layout = {.number = 3, .process = 8, .place = 8, .statement = 12};
    for (uint64_t n = steps; n >= 1000; n /= 10)
        layout.number++;
    if (widths->process > layout.process)
        layout.process = widths->process;
    if (widths->place > layout.place)
        layout.place = widths->place;
    layout.short_place = widths->short_place;
    if (widths->statement > layout.statement)
        layout.statement = widths->statement;
    if (layout.statement > STATEMENT_COLUMNS)
        layout.statement = STATEMENT_COLUMNS;
    if (style->columns)
        fit(&layout, style->columns);
    return layout;
}

void gy_step_layout_widen(gy_step_layout *layout, const gy_style *style)
{
    layout->number = 2 * layout->number + 1;
    layout->statement = STATEMENT_COLUMNS;
    if (style->columns)
        fit(layout, style->columns);
}

// ---- text ---------------------------------------------------------------------------

static size_t indent_of(const gy_step_layout *layout)
{
    return layout->number + 3 + layout->process + 2;
}

static void actor_columns(const gy_actor *actor, const char *mark, const gy_step_layout *layout,
                          const gy_style *style, gy_text *out)
{
    gy_text who = {0};
    gy_text_printf(&who, "%s%s", mark, actor->process);
    gy_text_add(out, style->name);
    gy_pad(out, gy_text_str(&who), layout->process + 2);
    gy_text_printf(out, "%s%s", style->off, style->faint);
    if (actor->line)
        gy_place_cell(actor->file, actor->line, actor->column, layout->place, style, out);
    else
        gy_blanks(out, layout->place);
    gy_text_printf(out, "%s  ", style->off);
    gy_text_free(&who);
}

// "x: 1 → 2" as process `reader` would say it.
static void change_text(const gy_change *change, int32_t reader, gy_text *out)
{
    const char *name = change->pid == reader ? change->bare : change->name;
    switch (change->kind) {
    case GY_CHANGE_STARTS:
        gy_text_printf(out, "%s starts", name);
        break;
    case GY_CHANGE_ENDS:
        gy_text_printf(out, "%s ends", name);
        break;
    case GY_CHANGE_NEW_CHANNEL:
        gy_text_printf(out, "%s: a new channel", name);
        break;
    case GY_CHANGE_VALUE:
    case GY_CHANGE_CONTENTS:
        gy_text_printf(out, "%s: %s → %s", name, change->before.text, change->after.text);
        break;
    case GY_CHANGE_NO_CHANNEL: // these are not reported to people
    case GY_CHANGE_RENAMED:
        break;
    }
}

// The last column, as process `reader` would say it.
static void change_list(const gy_report_step *told, const gy_step_show *show, int32_t reader,
                        gy_text *out)
{
    uint32_t count = told->change_count;
    uint32_t shown = show->full || count <= SHOWN_CHANGES ? count : SHOWN_CHANGES;
    for (uint32_t i = 0; i < shown; i++) {
        if (i > 0)
            gy_text_printf(out, "%s,%s ", show->style->faint, show->style->off);
        size_t from = out->n;
        change_text(&told->changes[i], reader, out);
        gy_keep_together(show->style, out, from);
    }
    if (shown < count)
        gy_text_printf(out, ", and %u more", count - shown);
}

static void trim_line(gy_text *out)
{
    while (out->n > 0 && out->at[out->n - 1] == ' ')
        out->at[--out->n] = '\0';
    gy_text_char(out, '\n');
}

// Too wide for the rest of a line of the terminal, from this column on?
static bool is_too_wide(const gy_report_step *told, const gy_actor *actor, size_t column,
                        const gy_step_show *show)
{
    gy_style plain = gy_style_make(false);
    gy_step_show shown = {.full = show->full, .style = &plain};
    gy_text changes = {0};
    change_list(told, &shown, actor->pid, &changes);
    size_t needs = gy_columns(gy_text_str(&changes));
    gy_text_free(&changes);
    return column + needs > show->style->columns;
}

static void statement_and_changes(const gy_report_step *told, const gy_actor *actor,
                                  const gy_step_layout *layout, const gy_step_show *show,
                                  gy_text *out)
{
    bool last = actor == told->partner || !told->partner; // the changes are in the last line
    gy_hang(show->style, out);
    if (!last || !show->changes || told->change_count == 0) {
        gy_text_add(out, actor->text);
        trim_line(out);
        return;
    }
    size_t statement = indent_of(layout) + layout->place + 2;
    gy_pad(out, actor->text, layout->statement);
    bool fits = gy_columns(actor->text) <= layout->statement;
    size_t columns = show->style->columns;
    if (columns && (!fits || is_too_wide(told, actor, statement + layout->statement + 2, show))) {
        trim_line(out);
        gy_blanks(out, statement < columns / 2 ? statement : columns / 2);
    } else if (!fits) {
        gy_text_char(out, '\n');
        gy_blanks(out, statement + layout->statement);
    }
    gy_text_add(out, "  ");
    gy_hang(show->style, out);
    change_list(told, show, actor->pid, out);
    trim_line(out);
}

static void locals_line(const gy_final *after, int32_t pid, size_t indent, gy_text *out)
{
    gy_text line = {0};
    if (pid < 0 || (uint32_t)pid >= after->process_count)
        return;
    gy_values_locals(&after->processes[pid], &line);
    if (line.n > 0) {
        gy_blanks(out, indent);
        gy_text_printf(out, "%s: %s\n", after->processes[pid].process, gy_text_str(&line));
    }
    gy_text_free(&line);
}

static void print_lines(const gy_report_step *told, size_t indent, const gy_style *style,
                        gy_text *out)
{
    for (uint32_t i = 0; i < told->print_count; i++) {
        const char *text = told->prints[i];
        size_t length = strlen(text);
        gy_blanks(out, indent);
        gy_text_printf(out, "%sprints:%s ", style->faint, style->off);
        while (length > 0 && text[length - 1] == '\n')
            length--;
        gy_text_bytes(out, text, length);
        gy_text_char(out, '\n');
    }
}

static void value_lines(const gy_report_step *told, size_t indent, const gy_step_show *show,
                        gy_text *out)
{
    gy_final after;
    gy_arena *arena = gy_tell_final_alone(show->path, false, &after);
    if (show->globals)
        gy_values_globals(&after, indent, show->style->columns, out);
    if (show->locals) {
        locals_line(&after, told->actor.pid, indent, out);
        locals_line(&after, told->partner ? told->partner->pid : -1, indent, out);
    }
    gy_arena_free(arena);
}

static void watch_line(const gy_report_step *told, size_t indent, const gy_step_show *show,
                       gy_text *out)
{
    size_t at = (size_t)(told->number - show->path->dropped);
    gy_blanks(out, indent);
    gy_watches_text(show->watches, show->path, &show->path->moments.at[at], out);
    gy_text_char(out, '\n');
}

static void message_line(const gy_report_step *told, size_t indent, gy_text *out)
{
    gy_blanks(out, indent);
    gy_text_printf(out, "%s [%s] %s %s", told->moved->is_send ? "sends" : "receives",
                   told->moved->contents, told->moved->is_send ? "to" : "from",
                   told->moved->channel);
    if (told->partner)
        gy_text_printf(out, ", received by %s", told->partner->process);
    gy_text_char(out, '\n');
}

// "in take(), called at fork.pml:12:5", and so on outwards.
static void call_line(const gy_actor *actor, size_t indent, const gy_style *style, gy_text *out)
{
    gy_blanks(out, indent);
    gy_text_add(out, style->faint);
    for (uint32_t i = 0; i < actor->call_count; i++)
        gy_text_printf(out, "%s %s(), called at %s:%u:%u", i ? ", in" : "in", actor->calls[i].name,
                       gy_base_name(actor->calls[i].file), actor->calls[i].line,
                       actor->calls[i].column);
    gy_text_printf(out, "%s\n", style->off);
}

static void extra_lines(const gy_report_step *told, size_t indent, const gy_step_show *show,
                        gy_text *out)
{
    if (told->called)
        call_line(&told->actor, indent, show->style, out);
    if (show->messages && told->moved)
        message_line(told, indent, out);
    if ((show->globals || show->locals) && show->path->system->model &&
        told->number == gy_path_steps(show->path))
        value_lines(told, indent, show, out);
    if (show->watches && show->watches->list.n)
        watch_line(told, indent, show, out);
    if (show->prints)
        print_lines(told, indent, show->style, out);
}

// A line, or two of a rendezvous, and what belongs to it. `number` is what is in front.
static void whole_step(const gy_report_step *told, const char *number, const char *tie,
                       const gy_step_layout *layout, const gy_step_show *show, gy_text *out)
{
    const gy_style *style = show->style;
    gy_text_printf(out, "%*s %s%s%s ", (int)layout->number, number, style->faint, tie, style->off);
    actor_columns(&told->actor, "", layout, style, out);
    statement_and_changes(told, &told->actor, layout, show, out);
    if (told->partner) {
        gy_blanks(out, layout->number + 3);
        actor_columns(told->partner, "→ ", layout, style, out);
        statement_and_changes(told, told->partner, layout, show, out);
    }
    extra_lines(told, indent_of(layout), show, out);
}

void gy_step_text_line(const gy_report_step *told, const gy_step_layout *layout,
                       const gy_step_show *show, gy_text *out)
{
    char number[24];
    if (!show->steps) {
        for (uint32_t i = 0; i < told->print_count; i++)
            gy_text_add(out, told->prints[i]);
        return;
    }
    const char *tie =
        told->atomic_before ? (told->atomic_after ? "│" : "└") : (told->atomic_after ? "┌" : " ");
    snprintf(number, sizeof number, "%llu", (unsigned long long)told->number);
    whole_step(told, number, tie, layout, show, out);
}

// ---- several in one line --------------------------------------------------------------

// "a; b; c", or "a; b; … 3 more" where that would be too long.
static void join_statements(const gy_report_step *steps, uint64_t count, size_t columns,
                            const gy_style *style, gy_text *out)
{
    size_t used = 0;
    for (uint64_t i = 0; i < count; i++) {
        const char *text = steps[i].actor.text;
        size_t needs = gy_columns(text) + 2;
        if (i > 0 && used + needs > columns) {
            gy_text_add(out, "; ");
            size_t from = out->n;
            gy_text_printf(out, "… %llu more", (unsigned long long)(count - i));
            gy_keep_together(style, out, from);
            return;
        }
        gy_text_printf(out, "%s%s", i ? "; " : "", text);
        used += needs;
    }
}

static gy_change *find_change(gy_change *list, uint32_t count, const gy_change *change)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == change->kind && strcmp(list[i].name, change->name) == 0)
            return &list[i];
    return NULL;
}

// What the steps change together: a variable that is set twice has one change.
static void join_changes(gy_arena *arena, const gy_report_step *steps, uint64_t count,
                         gy_report_step *all)
{
    uint32_t n = 0, kept = 0;
    for (uint64_t i = 0; i < count; i++)
        n += steps[i].change_count;
    gy_change *list = GY_NEW_ARRAY(arena, gy_change, n + 1);
    n = 0;
    for (uint64_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < steps[i].change_count; c++) {
            const gy_change *change = &steps[i].changes[c];
            gy_change *known = find_change(list, n, change);
            bool has_value = change->kind == GY_CHANGE_VALUE || change->kind == GY_CHANGE_CONTENTS;
            if (known && has_value)
                known->after = change->after;
            else
                list[n++] = *change;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        if (!list[i].before.text || strcmp(list[i].before.text, list[i].after.text) != 0)
            list[kept++] = list[i];
    all->changes = list;
    all->change_count = kept;
}

static void join_prints(gy_arena *arena, const gy_report_step *steps, uint64_t count,
                        gy_report_step *all)
{
    uint32_t n = 0;
    for (uint64_t i = 0; i < count; i++)
        n += steps[i].print_count;
    const char **list = GY_NEW_ARRAY(arena, const char *, n + 1);
    all->prints = list;
    all->print_count = n;
    for (uint64_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < steps[i].print_count; p++)
            *list++ = steps[i].prints[p];
}

void gy_step_text_folded(const gy_report_step *steps, uint64_t count, const gy_step_layout *layout,
                         const gy_step_show *show, gy_text *out)
{
    gy_arena *arena = gy_arena_new();
    gy_report_step all = steps[0];
    gy_text statements = {0}, number = {0};
    join_statements(steps, count, layout->statement, show->style, &statements);
    join_changes(arena, steps, count, &all);
    join_prints(arena, steps, count, &all);
    all.actor.text = gy_text_str(&statements);
    all.number = steps[count - 1].number;
    gy_text_printf(&number, "%llu-%llu", (unsigned long long)steps[0].number,
                   (unsigned long long)all.number);
    whole_step(&all, gy_text_str(&number), "▸", layout, show, out);
    gy_text_free(&statements);
    gy_text_free(&number);
    gy_arena_free(arena);
}
