// A growable array as three macros over a struct that the user declares:
//
//     GY_VEC(int) numbers = {0};
//     gy_vec_push(&numbers, 7);
//     for (size_t i = 0; i < numbers.n; i++) use(numbers.at[i]);
//     gy_vec_free(&numbers);
//
// The vector owns its storage; elements move when it grows, so keep indices, not pointers.
#ifndef GYRE_BASE_VEC_H
#define GYRE_BASE_VEC_H

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

#define GY_VEC(type)                                                                               \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t n, room;                                                                            \
    }

#define gy_vec_reserve(v, wanted)                                                                  \
    do {                                                                                           \
        size_t vec_wanted_ = (wanted);                                                             \
        if (vec_wanted_ > (v)->room) {                                                             \
            size_t vec_room_ = (v)->room ? (v)->room * 2 : 8;                                      \
            if (vec_room_ < vec_wanted_)                                                           \
                vec_room_ = vec_wanted_;                                                           \
            (v)->at = gy_realloc((v)->at, vec_room_ * sizeof *(v)->at);                            \
            (v)->room = vec_room_;                                                                 \
        }                                                                                          \
    } while (0)

#define gy_vec_push(v, value)                                                                      \
    do {                                                                                           \
        gy_vec_reserve((v), (v)->n + 1);                                                           \
        (v)->at[(v)->n] = (value); /* may read n */                                                \
        (v)->n++;                                                                                  \
    } while (0)

#define gy_vec_free(v)                                                                             \
    do {                                                                                           \
        free((v)->at);                                                                             \
        (v)->at = NULL;                                                                            \
        (v)->n = (v)->room = 0;                                                                    \
    } while (0)

#endif
