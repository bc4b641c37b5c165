#include "report/steps/counterexample_text.h"

// Steps of one process are folded into a line in paths of more than A_SCREEN steps. What has more
// than FOLD_ABOVE lines then shows this many at its start and at its end.
enum { A_SCREEN = 24, FOLD_ABOVE = 60, FOLD_HEAD = 20, FOLD_TAIL = 25 };

typedef struct line {
    uint64_t first, count; // steps
} line;
typedef GY_VEC(line) line_list;

static bool has_effect(const gy_report_step *step)
{
    return step->change_count > 0 || step->print_count > 0 || step->moved || step->fault;
}

// May step `n`, from 1, and the one after it stand in one line?
static bool folds(const gy_counterexample *walk, uint64_t n)
{
    const gy_report_step *step = &walk->steps[n - 1], *next = step + 1;
    if (step->partner || next->partner || next->fault || step->actor.pid != next->actor.pid ||
        (walk->cycle_start >= 0 && n == (uint64_t)walk->cycle_start))
        return false;
    return !has_effect(step) || (step->atomic_after && next->atomic_before);
}

// Which steps stand in which line. True: some lines have several.
static bool make_lines(const gy_counterexample *walk, bool fold, line_list *lines)
{
    bool folded = false;
    for (uint64_t n = 1; n <= walk->step_count; n++) {
        line next = {n, 1};
        while (fold && n < walk->step_count && folds(walk, n)) {
            next.count++;
            n++;
        }
        folded = folded || next.count > 1;
        gy_vec_push(lines, next);
    }
    return folded;
}

static void say_hidden(uint64_t hidden, const char *why, const gy_step_layout *layout, gy_text *out)
{
    gy_blanks(out, layout->number + 3);
    gy_text_add(out, "… ");
    gy_text_count(out, hidden);
    gy_text_printf(out, " step%s not shown (%s)\n", hidden == 1 ? "" : "s", why);
}

// False: nothing reads any more.
static bool say_lines(const gy_counterexample *walk, const line_list *lines,
                      const gy_step_layout *layout, const gy_step_show *show, gy_sink *sink)
{
    gy_text *out = &sink->text;
    bool cut = lines->n > FOLD_ABOVE && !show->full;
    for (size_t i = 0; i < lines->n; i++) {
        if (cut && i == FOLD_HEAD) {
            size_t tail = lines->n - FOLD_TAIL;
            say_hidden(lines->at[tail].first - lines->at[i].first, "--full shows all", layout, out);
            i = tail;
        }
        const line *now = &lines->at[i];
        const gy_report_step *steps = &walk->steps[now->first - 1];
        if (walk->cycle_start >= 0 && now->first == (uint64_t)walk->cycle_start + 1)
            gy_text_printf(out, "%s--- cycle starts here, repeats for ever ---%s\n",
                           show->style->strong, show->style->off);
        if (now->count == 1)
            gy_step_text_line(steps, layout, show, out);
        else
            gy_step_text_folded(steps, now->count, layout, show, out);
        if (!gy_sink_drain(sink))
            return false;
    }
    return true;
}

void gy_story_text(const gy_counterexample *walk, const gy_step_layout *layout,
                   const gy_step_show *show, gy_sink *sink)
{
    gy_text *out = &sink->text;
    gy_step_layout columns = *layout;
    line_list lines = {0};
    bool watched = show->watches && show->watches->list.n; // at every step
    bool folded = make_lines(walk, walk->step_count > A_SCREEN && !show->full && !watched, &lines);
    if (folded)
        gy_step_layout_widen(&columns, show->style);
    bool told = say_lines(walk, &lines, &columns, show, sink);
    gy_vec_free(&lines);
    if (!told)
        return;
    if (walk->cut)
        say_hidden(walk->length - walk->step_count, walk->cut, &columns, out);
    else if (walk->step_count == 0)
        gy_text_add(out, "  (the initial state; no step was taken)\n");
    if (folded)
        gy_text_printf(out,
                       "%s▸ steps of one process in one line: an atomic sequence, or steps "
                       "without effect and the next one (--full shows each)%s\n",
                       show->style->faint, show->style->off);
    gy_text_char(out, '\n');
    gy_ending_text(&walk->final, show->style, out);
}
