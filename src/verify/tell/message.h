// The message that a send or receive step moved.
#ifndef GYRE_VERIFY_TELL_MESSAGE_H
#define GYRE_VERIFY_TELL_MESSAGE_H

#include "verify/tell/naming.h"

typedef struct gy_moved {
    bool is_send;     // else a receive
    bool rendezvous;  // then the step is both
    char *channel;    // q
    char *contents;   // 3,req
    int32_t identity; // of the channel
} gy_moved;

// False if the step moves no message (or the model is unknown). Free with gy_moved_free.
bool gy_moved_find(const gy_scene *before, const gy_scene *now, const gy_step *step,
                   gy_moved *moved);
void gy_moved_free(gy_moved *moved);

#endif
