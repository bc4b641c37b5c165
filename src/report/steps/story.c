#include "report/steps/story.h"

// A path longer than FOLD_ABOVE shows this many steps at its start and at its end.
enum { FOLD_ABOVE = 60, FOLD_HEAD = 20, FOLD_TAIL = 25 };

void gy_story_text(gy_path *path, const gy_story_options *options, gy_text *out)
{
    uint64_t steps = gy_path_steps(path);
    gy_step_layout layout = gy_step_layout_for(path->system, steps);
    bool fold = steps > FOLD_ABOVE && !options->show.full;
    for (uint64_t n = 1; n <= steps; n++) {
        gy_told told;
        if (path->cycle_start >= 0 && n == (uint64_t)path->cycle_start + 1)
            gy_text_printf(out, "%s--- the steps from here on repeat for ever ---%s\n",
                           options->style.strong, options->style.off);
        if (fold && n == FOLD_HEAD + 1) {
            uint64_t hidden = steps - FOLD_HEAD - FOLD_TAIL;
            gy_blanks(out, layout.number + 3);
            gy_text_add(out, "… ");
            gy_text_count(out, hidden);
            gy_text_add(out, " steps not shown (--full shows all)\n");
            n += hidden;
        }
        gy_tell_step(&told, path, n);
        gy_step_text_line(&told, &layout, &options->show, &options->style, path, out);
        gy_told_free(&told);
    }
    if (steps == 0)
        gy_text_add(out, "  (the initial state; no step was taken)\n");
    gy_choices choices = {0};
    gy_path_choices(path, &choices);
    gy_text_char(out, '\n');
    gy_ending_text(path, &choices, options->empty_channels, &options->style, out);
    gy_choices_free(&choices);
}

json_t *gy_story_json(gy_path *path)
{
    json_t *list = json_array();
    for (uint64_t n = 1; n <= gy_path_steps(path); n++) {
        gy_told told;
        gy_tell_step(&told, path, n);
        json_array_append_new(list, gy_step_json(&told));
        gy_told_free(&told);
    }
    return list;
}
