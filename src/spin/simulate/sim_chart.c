// The chart of -M: what was sent and received, in columns, as a script for Tk's `wish`. The layout
// (boxes of so many pixels, a row for every mark) is Spin's, so that the same tools show it.
#include "spin/simulate/sim.h"

enum { COLUMN = 160, ROW = 12, MARGIN = 20, PAGE = 450, MOST_ROWS = 4 * 4096 };

// Rows are odd: 1, 3, 5 …; row r is mark (r - 1) / 2.
static long row_of(size_t mark)
{
    return 2 * (long)mark + 1;
}

static char *copy(const char *text)
{
    return strcpy(gy_alloc(strlen(text) + 1), text);
}

void sim_mark_text(pml_sim *sim, long column, const char *text)
{
    if (sim->depth == 0) {
        while (sim->heads.n <= (size_t)column)
            gy_vec_push(&sim->heads, NULL);
        free(sim->heads.at[column]);
        sim->heads.at[column] = copy(text);
        return;
    }
    if (row_of(sim->marks.n) >= MOST_ROWS) {
        fprintf(stderr, "spin: error: max nr of %d steps exceeded\n", MOST_ROWS);
        sim_fatal(sim, "use -uN to limit steps");
    }
    while (sim->mark_of.n <= (size_t)sim->depth)
        gy_vec_push(&sim->mark_of, 0);
    sim->mark_of.at[sim->depth] = row_of(sim->marks.n);
    sim_mark mark = {column, copy(text), 0};
    gy_vec_push(&sim->marks, mark);
}

void sim_mark_arrow(pml_sim *sim, long from, long to)
{
    if ((size_t)from >= sim->mark_of.n || (size_t)to >= sim->mark_of.n)
        return;
    long row = sim->mark_of.at[from];
    if (row > 0)
        sim->marks.at[(row - 1) / 2].match = sim->mark_of.at[to];
}

typedef struct chart {
    gy_text *out;
    long widest;
    long line[258]; // by column, from 1: how far down its line is drawn
    int used[258];
    int no_box;
} chart;

static void grid_line(chart *c, long column, long from, long to)
{
    gy_text_printf(c->out,
                   ".c create line %ld %ld %ld %ld -fill lightgrey -tags grid -width 1 \n"
                   ".c lower grid\n",
                   column * COLUMN - 20, from + MARGIN, column * COLUMN - 20, to + MARGIN);
}

static void arrow(chart *c, const sim_mark *a, long y0, const sim_mark *b, long y1, bool sync)
{
    const char *colour = sync ? "darkred" : "darkblue";
    long x0 = (a->column + 1) * COLUMN - 20, x1 = (b->column + 1) * COLUMN - 20;
    long middle = (a->column + 1) * COLUMN + (b->column - a->column) * COLUMN / 2 - 20;
    if (a->column == b->column) {
        gy_text_printf(c->out,
                       ".c create line %ld %ld %ld %ld -fill %s -tags grid -width 1 \n"
                       ".c lower grid\n",
                       x0, y0 + MARGIN, x1, y1 + MARGIN, colour);
        return;
    }
    if (y1 - y0 <= ROW + 20)
        y1 = y0 + 20;
    gy_text_printf(c->out, ".c create line %ld %ld %ld %ld -fill %s -tags mesg -width 2\n", x0,
                   y0 + MARGIN + 10, middle, y0 + MARGIN + 10, colour);
    if (y1 != y0 + 20)
        gy_text_printf(c->out, ".c create line %ld %ld %ld %ld -fill %s -tags mesg -width 2\n",
                       middle, y0 + MARGIN + 10, middle, y1 + MARGIN - 10, colour);
    gy_text_printf(c->out,
                   ".c create line %ld %ld %ld %ld -fill %s -width 2 "
                   "-arrow %s -arrowshape {5 5 5} -tags mesg\n.c raise mesg\n",
                   middle, y1 + MARGIN - 10, x1, y1 + MARGIN - 10, colour, sync ? "both" : "last");
}

static void box(chart *c, long column, long row, int width, bool shadow)
{
    long x = column * COLUMN - 20, y = row * ROW + MARGIN, half = 2 * 4 * width / 3;
    if (c->line[column] < row) {
        grid_line(c, column, c->line[column] * ROW + ROW + 4, row * ROW - ROW);
        gy_text_printf(c->out, "# ProcLine[%ld] from %ld to %ld (Used %d nobox %d)\n", column,
                       c->line[column], row, c->used[column], c->no_box);
        c->line[column] = row;
    } else {
        gy_text_printf(c->out, "# ProcLine[%ld] stays at %ld (Used %d nobox %d)\n", column,
                       c->line[column], c->used[column], c->no_box);
    }
    if (c->used[column])
        c->no_box = 2;
    if (shadow) {
        if (c->no_box == 0)
            gy_text_printf(c->out, ".c create rectangle %ld %ld %ld %ld -fill black\n",
                           x - half + 4, y - 10 + 2, x + half, y + 10 + 2);
    } else if (c->no_box == 0) {
        gy_text_printf(c->out, ".c create rectangle %ld %ld %ld %ld -fill ivory\n", x - half,
                       y - 10, x + half, y + 10);
        c->used[column]++;
    } else {
        gy_text_printf(c->out, ".c create rectangle %ld %ld %ld %ld -fill white -width 0\n",
                       x - half, y - 10, x + half, y + 10);
    }
    if (c->no_box > 0)
        c->no_box--;
}

static void text_box(chart *c, long column, long row, const char *text)
{
    float width = 1.8f * (float)strlen(text); // a guess at the width of the font
    if (row > 0) {
        long y = row * ROW + MARGIN;
        gy_text_printf(c->out, ".c create text %d %ld -fill #eef -text \"%ld\"\n", -10 + COLUMN / 2,
                       y, row);
        gy_text_printf(c->out, ".c create line %d %ld %ld %ld -fill #eef -dash {6 4}\n",
                       -20 + COLUMN, y, (c->widest + 1) * COLUMN - 20, y);
    }
    box(c, column + 1, row, (int)(width + 1.0f), true);
    if (text[0] == '~' && text[1])
        text += 2;
    box(c, column + 1, row, (int)width, false);
    gy_text_printf(c->out, ".c create text %ld %ld -text \"", (column + 1) * COLUMN - 20,
                   row * ROW + MARGIN);
    for (; *text; text++) {
        if (*text == '\n')
            continue;
        if (*text == '[' || *text == ']')
            gy_text_char(c->out, '\\');
        gy_text_char(c->out, *text);
    }
    gy_text_add(c->out, "\"\n");
}

static void head(chart *c)
{
    if (c->widest * COLUMN > PAGE) {
        float scale = (float)PAGE / (float)(c->widest * COLUMN);
        gy_text_printf(c->out, "# Scaler %f, MH %d\n", (double)scale, (int)(600.0f / scale));
    }
    gy_text_printf(c->out,
                   "wm title . \"scenario\"\n"
                   "wm geometry . %ldx600+650+100\n"
                   "canvas .c -width 800 -height 800 \\\n"
                   "\t-scrollregion {0c -1c 30c 100c} \\\n"
                   "\t-xscrollcommand \".hscroll set\" \\\n"
                   "\t-yscrollcommand \".vscroll set\" \\\n"
                   "\t-bg white -relief raised -bd 2\n"
                   "scrollbar .vscroll -relief sunken  -command \".c yview\"\n"
                   "scrollbar .hscroll -relief sunken -orient horiz  -command \".c xview\"\n"
                   "pack append . \\\n"
                   "\t.vscroll {right filly} \\\n"
                   "\t.hscroll {bottom fillx} \\\n"
                   "\t.c {top expand fill}\n"
                   ".c yview moveto 0\n",
                   (c->widest + 2) * COLUMN);
}

void pml_sim_chart(pml_sim *sim, gy_text *out)
{
    chart c = {.out = out};
    size_t last = 0;
    for (size_t i = 0; i < sim->marks.n; i++)
        if (sim->marks.at[i].column > c.widest) {
            c.widest = sim->marks.at[i].column;
            gy_text_printf(out, "# maxx %ld\n", c.widest);
        }
    head(&c);
    for (size_t i = sim->heads.n; i-- > 0;)
        if (sim->heads.at[i])
            text_box(&c, (long)i, -1, sim->heads.at[i]);
    for (size_t i = 0; i < sim->marks.n; i++) {
        const sim_mark *mark = &sim->marks.at[i];
        long row = row_of(i);
        if (mark->match == row)
            arrow(&c, &sim->marks.at[last], row_of(last) * ROW, mark, row * ROW, true);
        else if (mark->match > 0)
            arrow(&c, mark, row * ROW, &sim->marks.at[(mark->match - 1) / 2], mark->match * ROW,
                  false);
        text_box(&c, mark->column, row, mark->text);
        last = i;
    }
    gy_text_add(out, ".c lower grid\n.c raise mesg\n");
}
