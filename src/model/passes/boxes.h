// Boxes: conditions on the values of a few variables, as a union of a few products of spans.
//
// What does not fit is left out of a product, or makes the union everything: a condition only
// ever gets wider. A product without sides is everything, a union without products nothing.
#ifndef GYRE_MODEL_PASSES_BOXES_H
#define GYRE_MODEL_PASSES_BOXES_H

#include "model/passes/interval.h"

enum { GY_MOST_SIDES = 3, GY_MOST_BOXES = 4 };

typedef struct gy_side {
    int32_t var;
    gy_interval span;
} gy_side;

typedef struct gy_box {
    uint32_t count;
    gy_side sides[GY_MOST_SIDES];
} gy_box;

typedef struct gy_boxes {
    uint32_t count;
    gy_box boxes[GY_MOST_BOXES];
} gy_boxes;

// What the box says of the variable; of one that it does not mention, `otherwise`.
gy_interval gy_box_span(const gy_box *box, int32_t var, gy_interval otherwise);
// Only where var is in span. False: nowhere.
bool gy_box_narrow(gy_box *box, int32_t var, gy_interval span);
void gy_box_forget(gy_box *box, int32_t var);
// What is in both. False: nothing.
bool gy_box_meet(gy_box *box, const gy_box *other);

void gy_boxes_fill(gy_boxes *boxes); // with everything
bool gy_boxes_are_all(const gy_boxes *boxes);
bool gy_boxes_equal(const gy_boxes *a, const gy_boxes *b);
// True if that made a difference. The model knows which spans are all that a variable can hold.
bool gy_boxes_add(const gy_model *model, gy_boxes *boxes, const gy_box *box);

#endif
