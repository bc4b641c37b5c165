#include "base/text.h"

#include "base/assert.h"
#include "base/fatal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(gy_text *text, size_t extra)
{
    gy_assert(text->n < text->room || (!text->n && !text->room && !text->at));
    size_t wanted = text->n + extra + 1;
    if (wanted <= text->room)
        return;
    size_t room = text->room ? text->room * 2 : 128;
    if (room < wanted)
        room = wanted;
    text->at = gy_realloc(text->at, room);
    text->room = room;
}

void gy_text_free(gy_text *text)
{
    free(text->at);
    *text = (gy_text){0};
}

void gy_text_clear(gy_text *text)
{
    text->n = 0;
    if (text->at)
        text->at[0] = '\0';
}

const char *gy_text_str(const gy_text *text)
{
    gy_assert(!text->at || text->at[text->n] == '\0');
    return text->at ? text->at : "";
}

char *gy_text_take(gy_text *text)
{
    reserve(text, 0);
    text->at[text->n] = '\0';
    char *taken = text->at;
    *text = (gy_text){0};
    return taken;
}

void gy_text_bytes(gy_text *text, const char *bytes, size_t n)
{
    reserve(text, n);
    if (n)
        memcpy(text->at + text->n, bytes, n);
    text->n += n;
    text->at[text->n] = '\0';
}

void gy_text_char(gy_text *text, char c)
{
    gy_text_bytes(text, &c, 1);
}

void gy_text_add(gy_text *text, const char *string)
{
    gy_text_bytes(text, string, strlen(string));
}

void gy_text_vprintf(gy_text *text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0)
        gy_fatal("cannot format a string");
    reserve(text, (size_t)length);
    vsnprintf(text->at + text->n, (size_t)length + 1, format, again);
    text->n += (size_t)length;
    va_end(again);
}

void gy_text_quote(gy_text *text, const char *string)
{
    gy_text_char(text, '"');
    for (; *string; string++) {
        if (*string == '"' || *string == '\\')
            gy_text_char(text, '\\');
        gy_text_char(text, *string == '\n' ? ' ' : *string);
    }
    gy_text_char(text, '"');
}

void gy_text_printf(gy_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_text_vprintf(text, format, args);
    va_end(args);
}

void gy_text_count(gy_text *text, unsigned long long number)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%llu", number);
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            gy_text_char(text, ',');
        gy_text_char(text, digits[i]);
    }
}

void gy_text_size(gy_text *text, unsigned long long bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    if (bytes < 1000) {
        gy_text_printf(text, "%llu B", bytes);
        return;
    }
    double value = (double)bytes / 1000;
    size_t unit = 0;
    while (value >= 999.95 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    gy_text_printf(text, value < 99.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

void gy_text_seconds(gy_text *text, double seconds)
{
    if (seconds < 0.9995)
        gy_text_printf(text, "%.0f ms", seconds * 1000);
    else if (seconds < 99.95)
        gy_text_printf(text, "%.1f s", seconds);
    else if (seconds < 3600)
        gy_text_printf(text, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    else
        gy_text_printf(text, "%d h %02d min", (int)(seconds / 3600), (int)(seconds / 60) % 60);
}

size_t gy_columns(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}
