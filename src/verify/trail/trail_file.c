#include "verify/trail/trail_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

bool gy_trail_file_probe(gy_trail_file *file, const char *path, gy_user_error *complaint)
{
    *file = (gy_trail_file){.path = path};
    if (!path)
        return true;
    file->created = access(path, F_OK) != 0;
    int opened = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (opened < 0)
        return gy_refuse(complaint, "cannot write %s: %s", path, strerror(errno));
    close(opened);
    return true;
}

void gy_trail_file_end(const gy_trail_file *file)
{
    if (file->path && file->created && file->written == 0)
        unlink(file->path);
}

// Writes the text and frees it.
static bool write_text(const char *name, gy_text *text, gy_user_error *complaint)
{
    FILE *file = fopen(name, "w");
    bool good = file && fwrite(gy_text_str(text), 1, text->n, file) == text->n;
    good = file && fclose(file) == 0 && good;
    gy_text_free(text);
    return good || gy_refuse(complaint, "cannot write %s: %s", name, strerror(errno));
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
    return write_text(told->trail, &text, complaint);
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
    gy_text_free(&title);
    gy_observer_free(automaton);
    return good;
}
