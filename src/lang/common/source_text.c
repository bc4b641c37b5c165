#include "lang/common/source_text.h"

#include "base/file.h"

bool gy_add_source(gy_model *model, const gy_front_end_input *input, gy_diags *diags,
                   uint32_t *number)
{
    if (input->text) {
        *number = gy_sources_add(model->sources, input->name, input->text, input->bytes, 0);
        return true;
    }
    gy_file_rules rules = {.most_bytes = 256u << 20};
    gy_file file;
    if (!gy_file_read(input->name, &rules, &file)) {
        gy_error(diags, 0, "cannot read %s: %s", input->name, file.problem);
        return false;
    }
    *number = gy_sources_add(model->sources, input->name, file.text, file.bytes, 0);
    gy_file_free(&file);
    return true;
}
