#include "report/steps/step.h"
#include "report/steps/watches.h"

#include "report/json.h"
#include "report/steps/values.h"

#include <string.h>

enum { STATEMENT_COLUMNS = 36, SHOWN_CHANGES = 8 };

gy_step_layout gy_step_layout_for(const gy_system *system, uint64_t steps)
{
    gy_step_layout layout = {.number = 3, .process = 8, .place = 8, .statement = 12};
    for (uint64_t n = steps; n >= 1000; n /= 10)
        layout.number++;
    for (uint32_t e = 0; e < gy_edge_count(system); e++) {
        gy_edge_facts facts;
        if (!gy_edge_info(system, (int32_t)e, &facts))
            continue;
        size_t process = gy_columns(facts.process ? facts.process : "") + 4;
        size_t place = gy_columns(gy_base_name(facts.file ? facts.file : "")) + 6;
        size_t statement = gy_columns(facts.text ? facts.text : "");
        if (process > layout.process)
            layout.process = process;
        if (place > layout.place)
            layout.place = place;
        if (statement > layout.statement)
            layout.statement = statement;
    }
    if (layout.statement > STATEMENT_COLUMNS)
        layout.statement = STATEMENT_COLUMNS;
    return layout;
}

static void tell_actor(gy_actor *actor, const gy_path *path, const gy_step *step, int32_t pid,
                       int32_t edge)
{
    const gy_model *model = path->system->model;
    gy_text text = {0};
    gy_edge_facts facts = {0};
    actor->pid = pid;
    if (model && gy_edge_info(path->system, edge, &facts)) {
        gy_name_process(model, model->edges[edge].tmpl, pid, &text);
        actor->process = gy_text_take(&text);
        actor->type = gy_template_name(&model->templates[model->edges[edge].tmpl]);
        gy_name_statement(facts.text, 0, &text);
    } else { // a foreign system knows numbers only
        char *statement = gy_step_text(path->worker, step);
        gy_text_printf(&text, "process %d", pid);
        actor->process = gy_text_take(&text);
        gy_name_statement(statement, 0, &text);
        gy_free(statement);
    }
    actor->text = gy_text_take(&text);
    actor->file = facts.file ? facts.file : path->system->name;
    actor->line = facts.line;
}

void gy_tell_step(gy_told *told, const gy_path *path, uint64_t number)
{
    size_t at = (size_t)(number - path->dropped);
    const gy_moment *before = &path->moments.at[at - 1], *now = &path->moments.at[at];
    *told = (gy_told){.number = number, .now = now};
    tell_actor(&told->actor, path, &now->step, now->step.pid, now->step.edge);
    if (now->step.partner >= 0)
        tell_actor(&told->partner, path, &now->step, now->step.partner, now->step.partner_edge);
    told->atomic_before = before->exclusive >= 0 && before->exclusive == now->step.pid;
    told->atomic_after = now->exclusive >= 0 && at + 1 < path->moments.n &&
                         now->exclusive == path->moments.at[at + 1].step.pid;
    if (!path->system->model)
        return;
    gy_scene *scenes = gy_alloc(2 * sizeof *scenes);
    gy_scene_open(&scenes[0], path->worker, before->state, before->words);
    gy_scene_open(&scenes[1], path->worker, now->state, now->words);
    gy_changes_find(&told->changes, &scenes[0], &scenes[1]);
    told->has_moved = gy_moved_find(&scenes[0], &scenes[1], &now->step, &told->moved);
    free(scenes);
}

void gy_told_free(gy_told *told)
{
    free(told->actor.process);
    free(told->actor.text);
    free(told->partner.process);
    free(told->partner.text);
    gy_changes_free(&told->changes);
    gy_moved_free(&told->moved);
    *told = (gy_told){0};
}

// ---- text ---------------------------------------------------------------------------

static size_t indent_of(const gy_step_layout *layout)
{
    return layout->number + 3 + layout->process + 2;
}

static void actor_columns(const gy_actor *actor, const char *mark, const gy_step_layout *layout,
                          const gy_style *style, gy_text *out)
{
    gy_text place = {0}, who = {0};
    gy_text_printf(&who, "%s%s", mark, actor->process);
    if (actor->line)
        gy_text_printf(&place, "%s:%u", gy_base_name(actor->file), actor->line);
    gy_text_add(out, style->name);
    gy_pad(out, gy_text_str(&who), layout->process + 2);
    gy_text_printf(out, "%s%s", style->off, style->faint);
    gy_pad(out, gy_text_str(&place), layout->place + 2);
    gy_text_add(out, style->off);
    gy_text_free(&who);
    gy_text_free(&place);
}

// The last column, as process `reader` would say it.
static void change_list(const gy_told *told, const gy_step_show *show, int32_t reader,
                        const gy_style *style, gy_text *out)
{
    size_t count = told->changes.list.n;
    size_t shown = show->full || count <= SHOWN_CHANGES ? count : SHOWN_CHANGES;
    for (size_t i = 0; i < shown; i++) {
        if (i > 0)
            gy_text_printf(out, "%s,%s ", style->faint, style->off);
        gy_change_text(&told->changes.list.at[i], reader, out);
    }
    if (shown < count)
        gy_text_printf(out, ", and %zu more", count - shown);
}

static void trim_line(gy_text *out)
{
    while (out->n > 0 && out->at[out->n - 1] == ' ')
        out->at[--out->n] = '\0';
    gy_text_char(out, '\n');
}

static void statement_and_changes(const gy_told *told, const gy_actor *actor, bool with_changes,
                                  const gy_step_layout *layout, const gy_step_show *show,
                                  const gy_style *style, gy_text *out)
{
    const char *statement = actor->text;
    with_changes = with_changes && show->changes && told->changes.list.n > 0;
    if (!with_changes) {
        gy_text_add(out, statement);
        trim_line(out);
        return;
    }
    gy_pad(out, statement, layout->statement);
    if (gy_columns(statement) > layout->statement) {
        gy_text_char(out, '\n');
        gy_blanks(out, indent_of(layout) + layout->place + 2 + layout->statement);
    }
    gy_text_add(out, "  ");
    change_list(told, show, actor->pid, style, out);
    trim_line(out);
}

static void extra_lines(const gy_told *told, const gy_step_layout *layout, const gy_step_show *show,
                        const gy_style *style, const gy_path *path, gy_text *out)
{
    size_t indent = indent_of(layout);
    if (show->messages && told->has_moved) {
        gy_blanks(out, indent);
        gy_text_printf(out, "%s [%s] %s %s", told->moved.is_send ? "sends" : "receives",
                       told->moved.contents, told->moved.is_send ? "to" : "from",
                       told->moved.channel);
        if (told->partner.process)
            gy_text_printf(out, ", received by %s", told->partner.process);
        gy_text_char(out, '\n');
    }
    if ((show->globals || show->locals) && path->system->model)
        gy_values_text(path->worker, told->now, show->globals, show->locals, indent, out);
    if (show->watches && show->watches->list.n) {
        gy_blanks(out, indent);
        gy_watches_text(show->watches, path, told->now, out);
        gy_text_char(out, '\n');
    }
    for (uint32_t i = 0; show->prints && i < told->now->print_count; i++) {
        const char *text = told->now->prints[i];
        size_t length = strlen(text);
        gy_blanks(out, indent);
        gy_text_printf(out, "%sprints:%s ", style->faint, style->off);
        while (length > 0 && text[length - 1] == '\n')
            length--;
        gy_text_bytes(out, text, length);
        gy_text_char(out, '\n');
    }
}

void gy_step_text_line(const gy_told *told, const gy_step_layout *layout, const gy_step_show *show,
                       const gy_style *style, const gy_path *path, gy_text *out)
{
    if (!show->steps) {
        for (uint32_t i = 0; i < told->now->print_count; i++)
            gy_text_add(out, told->now->prints[i]);
        return;
    }
    const char *tie =
        told->atomic_before ? (told->atomic_after ? "│" : "└") : (told->atomic_after ? "┌" : " ");
    gy_text number = {0};
    gy_text_printf(&number, "%*llu", (int)layout->number, (unsigned long long)told->number);
    gy_text_printf(out, "%s %s%s%s ", gy_text_str(&number), style->faint, tie, style->off);
    gy_text_free(&number);
    actor_columns(&told->actor, "", layout, style, out);
    statement_and_changes(told, &told->actor, told->partner.process == NULL, layout, show, style,
                          out);
    if (told->partner.process) {
        gy_blanks(out, layout->number + 3);
        actor_columns(&told->partner, "→ ", layout, style, out);
        statement_and_changes(told, &told->partner, true, layout, show, style, out);
    }
    extra_lines(told, layout, show, style, path, out);
}

// ---- JSON ---------------------------------------------------------------------------

static void actor_json(const gy_actor *actor, json_t *item)
{
    json_object_set_new(item, "process", gy_json_string(actor->type ? actor->type : ""));
    json_object_set_new(item, "pid", json_integer(actor->pid));
    json_object_set_new(item, "file", gy_json_string(actor->file));
    json_object_set_new(item, "line", json_integer(actor->line));
    json_object_set_new(item, "text", gy_json_string(actor->text));
}

static json_t *value_json(const gy_change *change, int32_t value, const char *text)
{
    switch (change->type) {
    case GY_BOOL:
        return json_boolean(value != 0);
    case GY_MTYPE:
    case GY_CHAN:
        return gy_json_string(text);
    default:
        return json_integer(value);
    }
}

static json_t *change_json(const gy_change *change)
{
    json_t *item = json_object();
    json_object_set_new(item, "name", gy_json_string(change->name));
    switch (change->kind) {
    case GY_CHANGE_VALUE:
        json_object_set_new(item, "old", value_json(change, change->old_value, change->before));
        json_object_set_new(item, "new", value_json(change, change->new_value, change->now));
        break;
    case GY_CHANGE_CONTENTS:
        json_object_set_new(item, "old", gy_json_string(change->before));
        json_object_set_new(item, "new", gy_json_string(change->now));
        break;
    case GY_CHANGE_STARTS:
        json_object_set_new(item, "event", json_string("starts"));
        break;
    case GY_CHANGE_ENDS:
        json_object_set_new(item, "event", json_string("ends"));
        break;
    case GY_CHANGE_NEW_CHANNEL:
        json_object_set_new(item, "event", json_string("created"));
        break;
    }
    return item;
}

json_t *gy_step_json(const gy_told *told)
{
    json_t *item = json_object(), *changes = json_array();
    json_object_set_new(item, "step", json_integer((json_int_t)told->number));
    actor_json(&told->actor, item);
    for (size_t i = 0; i < told->changes.list.n; i++)
        json_array_append_new(changes, change_json(&told->changes.list.at[i]));
    json_object_set_new(item, "changes", changes);
    if (told->partner.process) {
        json_t *partner = json_object();
        actor_json(&told->partner, partner);
        json_object_set_new(item, "partner", partner);
    }
    if (told->has_moved) {
        json_t *message = json_object();
        json_object_set_new(message, "kind",
                            json_string(told->moved.rendezvous ? "rendezvous"
                                        : told->moved.is_send  ? "send"
                                                               : "receive"));
        json_object_set_new(message, "channel", gy_json_string(told->moved.channel));
        json_object_set_new(message, "contents", gy_json_string(told->moved.contents));
        json_object_set_new(item, "message", message);
    }
    if (told->now->print_count > 0) {
        json_t *output = json_array();
        for (uint32_t i = 0; i < told->now->print_count; i++)
            json_array_append_new(output, gy_json_string(told->now->prints[i]));
        json_object_set_new(item, "output", output);
    }
    json_object_set_new(item, "atomic", json_boolean(told->now->exclusive >= 0));
    if (told->now->fault) {
        json_t *fault = json_object();
        json_object_set_new(fault, "kind", json_string(gy_fault_name(told->now->fault)));
        json_object_set_new(fault, "message", gy_json_string(told->now->message));
        json_object_set_new(item, "fault", fault);
    }
    return item;
}
