// Diversions: texts that are put aside, to be output later, with the lines of the template that
// they come from.
#include "lang/dve/m4/m4_internal.h"

static m4_diversion *find(m4 *m, int number)
{
    for (size_t i = 0; i < m->diversions.n; i++)
        if (m->diversions.at[i].number == number)
            return &m->diversions.at[i];
    return NULL;
}

static m4_diversion *current(m4 *m)
{
    m4_diversion *d = find(m, m->diversion);
    if (d)
        return d;
    if (m->diversions.n > M4_MOST_DIVERSIONS) {
        m4_fail(m, NULL, "more than %d diversions", M4_MOST_DIVERSIONS);
        return NULL;
    }
    gy_vec_push(&m->diversions, ((m4_diversion){.number = m->diversion}));
    return &m->diversions.at[m->diversions.n - 1];
}

void m4_write(m4 *m, const char *text, size_t n, m4_where where)
{
    if (m->diversion < 0 || !n)
        return;
    m4_diversion *d = current(m);
    uint32_t line = where.line;
    if (!d || !m4_work(m, n) || !m4_room(m, n))
        return;
    for (size_t i = 0; i < n; i++) {
        if (!d->inside && d->expected != line)
            gy_vec_push(&d->out.marks, ((m4_mark){d->out.text.n + i, line}));
        if (!d->inside)
            d->expected = line;
        d->inside = text[i] != '\n';
        d->expected += text[i] == '\n';
        line += text[i] == '\n' && !where.pushed;
    }
    gy_text_bytes(&d->out.text, text, n);
    m->written += n;
}

void m4_divert(m4 *m, int number)
{
    m->diversion = number;
}

void m4_undivert(m4 *m, int number)
{
    m4_diversion *from = number > 0 && number != m->diversion ? find(m, number) : NULL;
    if (!from || !from->out.text.n)
        return;
    m4_diversion *to = m->diversion >= 0 ? current(m) : NULL;
    from = find(m, number); // it may have moved
    if (to && m4_work(m, from->out.text.n)) {
        for (size_t i = 0; i < from->out.marks.n; i++) {
            m4_mark mark = from->out.marks.at[i];
            mark.offset += to->out.text.n;
            gy_vec_push(&to->out.marks, mark);
        }
        gy_text_bytes(&to->out.text, from->out.text.at, from->out.text.n);
        to->inside = from->inside;
        to->expected = from->expected;
    } else {
        m->written -= from->out.text.n;
    }
    m4_output_free(&from->out);
    *from = (m4_diversion){.number = number};
}

void m4_undivert_all(m4 *m)
{
    for (int last = 0;;) { // in the order of their numbers
        const m4_diversion *next = NULL;
        for (size_t i = 0; i < m->diversions.n; i++) {
            const m4_diversion *d = &m->diversions.at[i];
            if (d->number > last && (!next || d->number < next->number))
                next = d;
        }
        if (!next)
            return;
        last = next->number;
        m4_undivert(m, last);
    }
}

void m4_diversions_free(m4 *m)
{
    for (size_t i = 0; i < m->diversions.n; i++)
        m4_output_free(&m->diversions.at[i].out);
    gy_vec_free(&m->diversions);
}

void m4_output_free(m4_output *out)
{
    gy_text_free(&out->text);
    gy_vec_free(&out->marks);
}
