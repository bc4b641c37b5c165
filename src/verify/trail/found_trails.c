#include "verify/trail/found_trails.h"

#include "base/file.h"
#include "verify/trail/trail_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void take(const gy_counterexample *told, uint32_t property, uint32_t counterexample,
                 gy_found_trails *trails)
{
    gy_file file;
    if (!told->trail)
        return;
    if (gy_file_read(told->trail, NULL, &file)) {
        gy_found_trail found = {property, counterexample, file.text, file.bytes};
        gy_vec_push(&trails->list, found);
    }
    remove(told->trail);
    if (told->claim)
        remove(told->claim);
}

gy_outcome *gy_verify_for_trails(gy_request *request, gy_found_trails *trails,
                                 gy_user_error *complaint)
{
    char folder[4096], file[sizeof folder + 8];
    snprintf(folder, sizeof folder, "%s/gyre-XXXXXX", gy_temporary_folder());
    if (!mkdtemp(folder)) {
        gy_refuse(complaint, "cannot create %s: %s", folder, strerror(errno));
        return NULL;
    }
    snprintf(file, sizeof file, "%s/trail", folder);
    gy_request_set(request, "trail", file, NULL);
    gy_outcome *outcome = gy_verify(request);
    for (int asked = 1; asked >= 0; asked--)
        for (uint32_t p = 0; p < outcome->property_count; p++)
            for (uint32_t c = 0; c < outcome->properties[p].counterexample_count; c++)
                if (outcome->properties[p].asked == asked)
                    take(&outcome->properties[p].counterexamples[c], p, c, trails);
    remove(file);
    rmdir(folder);
    for (uint32_t i = 0; i < outcome->note_count; i++)
        if (outcome->notes[i].code && !strcmp(outcome->notes[i].code, GY_TRAIL_NOT_WRITTEN))
            gy_refuse(complaint, "%s", outcome->notes[i].message);
    return outcome;
}

void gy_found_trails_free(gy_found_trails *trails)
{
    for (size_t i = 0; i < trails->list.n; i++)
        free(trails->list.at[i].text);
    gy_vec_free(&trails->list);
}
