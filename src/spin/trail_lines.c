#include "spin/trail_lines.h"

#include <stdio.h>

void gy_trail_lines_read(gy_trail_lines *lines, const char *trail, size_t bytes)
{
    char *copy = memcpy(gy_alloc_zero(bytes + 1), trail, bytes), *save = NULL;
    *lines = (gy_trail_lines){.claim = -1};
    for (char *text = strtok_r(copy, "\n", &save); text; text = strtok_r(NULL, "\n", &save)) {
        gy_trail_line line = {0};
        if (sscanf(text + (*text == '!'), "%lld:%lld:%lld", &line.number, &line.process,
                   &line.transition) != 3)
            continue;
        if (line.number == -2)
            lines->claim = line.process;
        if (line.number == -4)
            lines->merged = true;
        if (line.number < 0)
            continue;
        lines->last = line.number;
        line.of_claim = lines->claim >= 0 && line.process-- == 0;
        gy_vec_push(&lines->list, line);
    }
    free(copy);
}
