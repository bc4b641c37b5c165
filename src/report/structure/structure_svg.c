// Six plots on one sheet. No ground is painted and all colours are of middling lightness, so that
// it can be read on a light page and on a dark one.
#include "report/structure/structure_report.h"
#include "report/xml.h"

#include <math.h>

static const char GREY[] = "#808890", BLUE[] = "#4a8fd0", ORANGE[] = "#d98032";
enum { WIDE = 440, HIGH = 250, LEFT = 64, RIGHT = 24, TOP = 40, BOTTOM = 44, HEAD = 34 };
enum { MOST_POINTS = 400 };

typedef struct point {
    double x, y;
} point;

typedef struct plot {
    gy_text *out;
    double left, top, width, height; // of the inner part
    double most_x, most_y;
    bool log_x, log_y;
} plot;

static double scale(double value, double most, bool logarithmic)
{
    if (logarithmic)
        return most > 1 ? log(value < 1 ? 1 : value) / log(most) : 0;
    return most > 0 ? value / most : 0;
}

static double at_x(const plot *p, double x)
{
    return p->left + p->width * scale(x, p->most_x, p->log_x);
}

static double at_y(const plot *p, double y)
{
    return p->top + p->height * (1 - scale(y, p->most_y, p->log_y));
}

static void label(const plot *p, double x, double y, const char *anchor, const char *text)
{
    gy_text_printf(p->out,
                   "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"11\" fill=\"%s\">",
                   x, y, anchor, GREY);
    gy_xml_text(p->out, text);
    gy_text_add(p->out, "</text>\n");
}

// 12, 3,400, 1.2M
static void short_number(double value, char *text, size_t room)
{
    if (value >= 1e6)
        snprintf(text, room, "%.3gM", value / 1e6);
    else if (value >= 1e4)
        snprintf(text, room, "%.3gk", value / 1e3);
    else
        snprintf(text, room, "%.4g", value);
}

// A round number not below `most`: 1, 2, 2.5 or 5 times a power of ten.
static double round_up(double most)
{
    static const double steps[] = {1, 2, 2.5, 5, 10};
    double power = pow(10, floor(log10(most > 0 ? most : 1)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= most)
            return steps[i] * power;
    return most;
}

static void axis_mark(const plot *p, bool vertical, double value)
{
    char text[32];
    short_number(value, text, sizeof text);
    if (!vertical) {
        label(p, at_x(p, value), p->top + p->height + 16, "middle", text);
        return;
    }
    double y = at_y(p, value);
    gy_text_printf(p->out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                   "stroke-opacity=\"0.25\"/>\n",
                   p->left, y, p->left + p->width, y, GREY);
    label(p, p->left - 6, y + 4, "end", text);
}

// At powers of ten, or at four or five round numbers; what is counted is whole.
static void axis_marks(const plot *p, bool vertical)
{
    double most = (vertical ? p->most_y : p->most_x) * (1 + 1e-9);
    if (vertical ? p->log_y : p->log_x) {
        for (double value = 1; value <= most; value *= 10)
            axis_mark(p, vertical, value);
        return;
    }
    double step = fmax(1, ceil(round_up(most / 5)));
    for (double value = 0; value <= most; value += step)
        axis_mark(p, vertical, value);
}

static plot begin_plot(gy_text *out, unsigned place, const char *title, const char *x_axis,
                       double most_x, double most_y)
{
    plot p = {
        .out = out,
        .left = (place % 2) * WIDE + LEFT,
        .top = HEAD + (place / 2) * HIGH + TOP,
        .width = WIDE - LEFT - RIGHT,
        .height = HIGH - TOP - BOTTOM,
        .most_x = most_x > 0 ? most_x : 1,
        .most_y = most_y > 0 ? most_y : 1,
    };
    gy_text_printf(out,
                   "<text x=\"%.1f\" y=\"%.1f\" font-size=\"13\" font-weight=\"600\" "
                   "fill=\"%s\">%s</text>\n",
                   p.left, p.top - 14, GREY, title);
    label(&p, p.left + p.width / 2, p.top + p.height + 32, "middle", x_axis);
    return p;
}

static void end_plot(const plot *p)
{
    gy_text_printf(p->out, "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"%s\"/>\n",
                   p->left, p->top, p->top + p->height, p->left + p->width, GREY);
}

static void draw_line(const plot *p, const char *colour, const point *at, size_t n)
{
    gy_text_printf(p->out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" points=\"",
                   colour);
    size_t stride = n / MOST_POINTS + 1;
    for (size_t i = 0; i < n; i += stride)
        gy_text_printf(p->out, "%.1f,%.1f ", at_x(p, at[i].x), at_y(p, at[i].y));
    if (n && (n - 1) % stride)
        gy_text_printf(p->out, "%.1f,%.1f", at_x(p, at[n - 1].x), at_y(p, at[n - 1].y));
    gy_text_add(p->out, "\"/>\n");
}

static void draw_bar(const plot *p, const char *colour, double x, double width, double y)
{
    double top = at_y(p, y), bottom = p->top + p->height;
    if (y > 0 && bottom - top < 1)
        top = bottom - 1; // there is something
    gy_text_printf(p->out,
                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x,
                   top, width, bottom - top, colour);
}

static void legend(const plot *p, const char *first, const char *second)
{
    const char *names[] = {first, second}, *colours[] = {BLUE, ORANGE};
    double x = p->left + p->width;
    for (int i = 1; i >= 0; i--) {
        if (!names[i])
            continue;
        label(p, x, p->top - 14, "end", names[i]);
        x -= 7.0 * (double)strlen(names[i]) + 6;
        gy_text_printf(p->out,
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/>\n",
                       x - 8, p->top - 23, colours[i]);
        x -= 18;
    }
}

static void plot_levels(const gy_structure *s, gy_text *out)
{
    double most = 0;
    GY_VEC(point) states = {0}, edges = {0};
    for (size_t i = 0; i < s->levels.n; i++) {
        point a = {(double)i, (double)s->levels.at[i].states};
        point b = {(double)i, (double)s->levels.at[i].edges};
        gy_vec_push(&states, a);
        gy_vec_push(&edges, b);
        most = fmax(most, fmax(a.y, b.y));
    }
    plot p = begin_plot(out, 0, "Levels of breadth-first search", "level",
                        (double)(s->levels.n - 1), round_up(most));
    legend(&p, "states", "edges");
    axis_marks(&p, true);
    axis_marks(&p, false);
    draw_line(&p, ORANGE, edges.at, edges.n);
    draw_line(&p, BLUE, states.at, states.n);
    end_plot(&p);
    gy_vec_free(&states);
    gy_vec_free(&edges);
}

static void plot_degrees(const gy_structure *s, gy_text *out)
{
    size_t n = s->in.n > s->out.n ? s->in.n : s->out.n;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, i < s->in.n ? (double)s->in.at[i] : 0);
        most = fmax(most, i < s->out.n ? (double)s->out.at[i] : 0);
    }
    plot p = begin_plot(out, 1, "Degrees", "edges of a state", (double)n, round_up(most));
    double slot = p.width / (double)n, bar = fmax(slot * 0.4, 0.5);
    char text[32];
    legend(&p, "in", "out");
    axis_marks(&p, true);
    for (size_t i = 0; i < n; i++) {
        double x = p.left + slot * (double)i + slot * 0.1;
        draw_bar(&p, BLUE, x, bar, i < s->in.n ? (double)s->in.at[i] : 0);
        draw_bar(&p, ORANGE, x + bar, bar, i < s->out.n ? (double)s->out.at[i] : 0);
        if (i % (n / 12 + 1) == 0) {
            short_number((double)i, text, sizeof text);
            label(&p, x + bar, p.top + p.height + 16, "middle", text);
        }
    }
    end_plot(&p);
}

static void plot_back(const gy_structure *s, gy_text *out)
{
    size_t n = s->back_lengths.n ? s->back_lengths.n : 1;
    double most = 0;
    char text[32];
    for (size_t i = 0; i < s->back_lengths.n; i++)
        most = fmax(most, (double)s->back_lengths.at[i]);
    plot p = begin_plot(out, 2, "Back-level edges", "levels that an edge goes back", (double)n,
                        round_up(most));
    double slot = p.width / (double)n;
    axis_marks(&p, true);
    for (size_t i = 0; i < n; i++) {
        double x = p.left + slot * (double)i;
        if (i < s->back_lengths.n)
            draw_bar(&p, BLUE, x + slot * 0.1, fmax(slot * 0.8, 0.5),
                     (double)s->back_lengths.at[i]);
        if (i % (n / 12 + 1) == 0) {
            short_number((double)i, text, sizeof text);
            label(&p, x + slot / 2, p.top + p.height + 16, "middle", text);
        }
    }
    end_plot(&p);
}

static void plot_components(const gy_structure *s, gy_text *out)
{
    double most_size = 10, most_count = 10;
    for (size_t i = 0; i < s->sizes.n; i++) {
        most_size = fmax(most_size, (double)s->sizes.at[i].size);
        most_count = fmax(most_count, (double)s->sizes.at[i].count);
    }
    plot p = begin_plot(out, 3, "Components: how many of each size", "states of a component",
                        pow(10, ceil(log10(most_size))), pow(10, ceil(log10(most_count))));
    p.log_x = p.log_y = true;
    axis_marks(&p, true);
    axis_marks(&p, false);
    for (size_t i = 0; i < s->sizes.n; i++)
        gy_text_printf(out,
                       "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\" "
                       "fill-opacity=\"0.8\"/>\n",
                       at_x(&p, (double)s->sizes.at[i].size),
                       at_y(&p, (double)s->sizes.at[i].count), BLUE);
    end_plot(&p);
}

static void plot_samples(const gy_sample *samples, size_t n, unsigned place, const char *title,
                         const char *x_axis, gy_text *out)
{
    GY_VEC(point) points = {0};
    for (size_t i = 0; i < n; i++) {
        point a = {(double)samples[i].at, samples[i].percent};
        gy_vec_push(&points, a);
    }
    plot p = begin_plot(out, place, title, x_axis, n ? points.at[n - 1].x : 1, 100);
    axis_marks(&p, true);
    axis_marks(&p, false);
    draw_line(&p, BLUE, points.at, points.n);
    end_plot(&p);
    gy_vec_free(&points);
}

void gy_structure_svg(const gy_structure *s, const char *title, gy_text *out)
{
    gy_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                   "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n<title>",
                   2 * WIDE, HEAD + 3 * HIGH, 2 * WIDE, HEAD + 3 * HIGH);
    gy_xml_text(out, title);
    gy_text_printf(out,
                   "</title>\n<text x=\"%d\" y=\"24\" font-size=\"15\" font-weight=\"600\" "
                   "fill=\"%s\">",
                   LEFT, GREY);
    gy_xml_text(out, title);
    gy_text_add(out, ": ");
    gy_text_count(out, s->states);
    gy_text_add(out, " states, ");
    gy_text_count(out, s->edges);
    gy_text_add(out, s->end == GY_GRAPH_COMPLETE ? " edges</text>\n" : " edges so far</text>\n");
    if (s->has_levels) {
        plot_levels(s, out);
        plot_degrees(s, out);
        plot_back(s, out);
    }
    if (s->has_components)
        plot_components(s, out);
    if (s->has_depth_first)
        plot_samples(s->stack.at, s->stack.n, 4, "Stack of depth-first search (% of the states)",
                     "states found", out);
    if (s->has_walk)
        plot_samples(s->walk.at, s->walk.n, 5, "States seen by a random walk (%)", "steps", out);
    gy_text_add(out, "</svg>\n");
}
