#include "model/passes/boxes.h"

static gy_side *side_of(gy_box *box, int32_t var)
{
    for (uint32_t i = 0; i < box->count; i++)
        if (box->sides[i].var == var)
            return &box->sides[i];
    return NULL;
}

gy_interval gy_box_span(const gy_box *box, int32_t var, gy_interval otherwise)
{
    for (uint32_t i = 0; i < box->count; i++)
        if (box->sides[i].var == var)
            return box->sides[i].span;
    return otherwise;
}

bool gy_box_narrow(gy_box *box, int32_t var, gy_interval span)
{
    gy_side *side = side_of(box, var);
    if (side) {
        side->span = gy_interval_meet(side->span, span);
        return !gy_interval_is_empty(side->span);
    }
    if (gy_interval_is_empty(span))
        return false;
    if (box->count < GY_MOST_SIDES)
        box->sides[box->count++] = (gy_side){var, span};
    return true;
}

void gy_box_forget(gy_box *box, int32_t var)
{
    gy_side *side = side_of(box, var);
    if (side)
        *side = box->sides[--box->count];
}

bool gy_box_meet(gy_box *box, const gy_box *other)
{
    for (uint32_t i = 0; i < other->count; i++)
        if (!gy_box_narrow(box, other->sides[i].var, other->sides[i].span))
            return false;
    return true;
}

static bool is_within(gy_interval inner, gy_interval outer)
{
    return inner.low >= outer.low && inner.high <= outer.high;
}

static bool is_part_of(const gy_box *inner, const gy_box *outer)
{
    for (uint32_t i = 0; i < outer->count; i++)
        if (!is_within(gy_box_span(inner, outer->sides[i].var, GY_INTERVAL_ALL),
                       outer->sides[i].span))
            return false;
    return true;
}

// Makes `box` the union of both if that is a box: all sides are equal but one.
static bool absorb(const gy_model *model, gy_box *box, const gy_box *other)
{
    gy_side *open = NULL;
    if (box->count != other->count)
        return false;
    for (uint32_t i = 0; i < box->count; i++) {
        gy_interval theirs = gy_box_span(other, box->sides[i].var, GY_INTERVAL_NONE);
        if (gy_interval_is_empty(theirs))
            return false;
        if (gy_interval_equal(theirs, box->sides[i].span))
            continue;
        if (open)
            return false;
        open = &box->sides[i];
    }
    gy_interval theirs = gy_box_span(other, open->var, GY_INTERVAL_NONE);
    if ((int64_t)theirs.low > (int64_t)open->span.high + 1 ||
        (int64_t)open->span.low > (int64_t)theirs.high + 1)
        return false;
    gy_interval all;
    gy_type_range(model->vars[open->var].type, &all.low, &all.high);
    open->span = gy_interval_join(open->span, theirs);
    if (is_within(all, open->span))
        gy_box_forget(box, open->var);
    return true;
}

void gy_boxes_fill(gy_boxes *boxes)
{
    boxes->count = 1;
    boxes->boxes[0].count = 0;
}

bool gy_boxes_are_all(const gy_boxes *boxes)
{
    return boxes->count == 1 && boxes->boxes[0].count == 0;
}

bool gy_boxes_equal(const gy_boxes *a, const gy_boxes *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!is_part_of(&a->boxes[i], &b->boxes[i]) || !is_part_of(&b->boxes[i], &a->boxes[i]))
            return false;
    return true;
}

bool gy_boxes_add(const gy_model *model, gy_boxes *boxes, const gy_box *box)
{
    for (uint32_t i = 0; i < boxes->count; i++) {
        if (is_part_of(box, &boxes->boxes[i]))
            return false;
        gy_box wider = *box;
        if (is_part_of(&boxes->boxes[i], box) || absorb(model, &wider, &boxes->boxes[i])) {
            boxes->boxes[i] = boxes->boxes[--boxes->count];
            gy_boxes_add(model, boxes, &wider);
            return true;
        }
    }
    if (boxes->count == GY_MOST_BOXES)
        gy_boxes_fill(boxes);
    else
        boxes->boxes[boxes->count++] = *box;
    return true;
}
