// Channels of the state that a machine works on. For the interpreter only.
//
// A channel is named by its identity, the value of a chan variable; 0 is none. Looking into a
// channel that has died with its process finds it empty; sending to it is a fault. Functions
// that return GY_RUN_FAULT or false have raised a fault.
#ifndef GYRE_EXEC_VM_CHANNEL_H
#define GYRE_EXEC_VM_CHANNEL_H

#include "exec/vm/vm.h"

int32_t gy_chan_length(gy_machine *m, int32_t id);
int32_t gy_chan_is_full(gy_machine *m, int32_t id);
// 0: no room; 1: room, or the message will be lost; 2: a rendezvous.
int32_t gy_chan_send_test(gy_machine *m, int32_t id);
// Sends to m->channel.
bool gy_chan_send(gy_machine *m, const int32_t *values, uint32_t count, uint32_t flags);
// Is there a message whose fields list[0 .. n-1] have these values? If so, m->channel and
// m->slot say where.
int32_t gy_chan_receive_test(gy_machine *m, int32_t id, const uint16_t *list, uint32_t n,
                             const int32_t *values, uint32_t flags);
int32_t gy_chan_poll(gy_machine *m, int32_t id, const uint16_t *list, uint32_t n,
                     const int32_t *values, bool random);
// Puts the message that the test found into m->taken and, unless kept, removes it.
bool gy_chan_take(gy_machine *m, uint32_t count, uint32_t flags);

#endif
