// Standard output and standard error. Text that came with a model, a file name or a journal must
// not drive the terminal or the pipeline that shows it: it is made visible here (base/visible.h),
// the code that wrote it.
//
// What programs read (JSON, charts, converted models …) is left as it is, as long as it goes
// neither to a terminal nor into a log.
#ifndef GYRE_CLI_STREAMS_H
#define GYRE_CLI_STREAMS_H

#include "base/text.h"

#include <stdbool.h>

// What is put from now on is for programs.
void gy_output_exact(void);

// Writes the text to standard output and clears it. If nothing reads any more, returns false
// (and from then on writes nothing): the caller finishes quietly.
bool gy_put(gy_text *text);
// The same with codes for the screen in it: what is shown there was made visible before.
bool gy_put_screen(gy_text *text);
// To standard error.
void gy_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gy_say_text(const gy_text *text);
// Annotations for GitHub, whose contents are escaped.
void gy_say_orders(const gy_text *text);

#endif
