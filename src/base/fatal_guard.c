#include "base/fatal_guard.h"

#include "base/fatal.h"

#include <setjmp.h>
#include <stdio.h>

typedef struct rescue {
    jmp_buf back;
    char *message;
    size_t room;
} rescue;

static _Thread_local rescue *rescuer; // of the innermost gy_rescue that this thread is in

static void leave(const char *message)
{
    snprintf(rescuer->message, rescuer->room, "%s", message);
    longjmp(rescuer->back, 1);
}

bool gy_rescue(void (*work)(void *user), void *user, char *message, size_t room)
{
    rescue here = {.message = message, .room = room}, *outer = rescuer;
    gy_fatal_handler *before = gy_set_fatal_handler(leave);
    volatile bool whole = false;
    rescuer = &here;
    if (setjmp(here.back) == 0) {
        work(user);
        whole = true;
    }
    gy_set_fatal_handler(before);
    rescuer = outer;
    return whole;
}
