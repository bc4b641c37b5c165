#include "report/steps/story.h"

// A walk longer than FOLD_ABOVE shows this many steps at its start and at its end.
enum { FOLD_ABOVE = 60, FOLD_HEAD = 20, FOLD_TAIL = 25 };

static void say_hidden(uint64_t hidden, const char *why, const gy_step_layout *layout, gy_text *out)
{
    gy_blanks(out, layout->number + 3);
    gy_text_add(out, "… ");
    gy_text_count(out, hidden);
    gy_text_printf(out, " step%s not shown (%s)\n", hidden == 1 ? "" : "s", why);
}

void gy_story_text(const gy_counterexample *walk, const gy_step_layout *layout,
                   const gy_step_show *show, gy_sink *sink)
{
    uint64_t steps = walk->step_count;
    gy_text *out = &sink->text;
    bool fold = steps > FOLD_ABOVE && !show->full;
    for (uint64_t n = 1; n <= steps; n++) {
        if (walk->cycle_start >= 0 && n == (uint64_t)walk->cycle_start + 1)
            gy_text_printf(out, "%s--- the steps from here on repeat for ever ---%s\n",
                           show->style->strong, show->style->off);
        if (fold && n == FOLD_HEAD + 1) {
            uint64_t hidden = steps - FOLD_HEAD - FOLD_TAIL;
            say_hidden(hidden, "--full shows all", layout, out);
            n += hidden;
        }
        gy_step_text_line(&walk->steps[n - 1], layout, show, out);
        if (!gy_sink_drain(sink))
            return;
    }
    if (walk->cut)
        say_hidden(walk->length - steps, walk->cut, layout, out);
    else if (steps == 0)
        gy_text_add(out, "  (the initial state; no step was taken)\n");
    gy_text_char(out, '\n');
    gy_ending_text(&walk->final, show->style, out);
}
