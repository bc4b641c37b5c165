#include "verify/trail/trail_file.h"

#include "base/file.h"
#include "base/new_file.h"

#include <errno.h>
#include <string.h>

bool gy_trail_file_probe(gy_trail_file *file, const char *path, gy_user_error *complaint)
{
    *file = (gy_trail_file){.path = path};
    if (!path)
        return true;
    return gy_file_is_writable(path) ||
           gy_refuse(complaint, "cannot write %s: %s", path, strerror(errno));
}

// Writes the text and frees it.
static bool write_text(const char *name, gy_text *text, gy_user_error *complaint)
{
    bool good = gy_new_file_put(name, GY_NAMED, gy_text_str(text), text->n);
    int error = errno;
    gy_text_free(text);
    return good || gy_refuse(complaint, "cannot write %s: %s", name, strerror(error));
}

static const char *next_name(gy_trail_file *file, gy_arena *arena)
{
    uint32_t number = file->written++;
    return number ? gy_arena_printf(arena, "%s-%u", file->path, number + 1)
                  : gy_arena_strdup(arena, file->path);
}

bool gy_trail_file_walk(gy_trail_file *file, const gy_path *path, gy_arena *arena,
                        gy_counterexample *told, gy_user_error *complaint)
{
    gy_text text = {0};
    if (!file->path)
        return true;
    told->trail = next_name(file, arena);
    gy_trail_text(path, &text);
    bool good = write_text(told->trail, &text, complaint);
    told->trail = good ? told->trail : NULL;
    return good;
}

bool gy_trail_file_lasso(gy_trail_file *file, const gy_path *path, const gy_property *property,
                         gy_arena *arena, gy_counterexample *told, gy_user_error *complaint)
{
    const gy_lasso_witness *lasso = property->live->lasso;
    bool formula = gy_property_is_ltl(property);
    gy_text text = {0}, title = {0};
    if (!file->path)
        return true;
    gy_observer *automaton = formula ? gy_ltl_claim(property->observer) : NULL;
    bool moves = automaton && gy_trail_formula(path, lasso, automaton, &text);
    if (!moves && formula)
        gy_trail_text(path, &text);
    else if (!formula)
        gy_trail_lasso(path, lasso, &text);
    told->trail = next_name(file, arena);
    bool good = write_text(told->trail, &text, complaint);
    if (good && moves) {
        gy_text_printf(&title, "the negation of ltl `%s`", property->name);
        gy_ltl_print_claim(automaton, gy_text_str(&title), &text);
        told->claim = gy_arena_printf(arena, "%s.never", told->trail);
        good = write_text(told->claim, &text, complaint);
    }
    told->trail = good ? told->trail : NULL;
    told->claim = good ? told->claim : NULL;
    gy_text_free(&title);
    gy_observer_free(automaton);
    return good;
}
