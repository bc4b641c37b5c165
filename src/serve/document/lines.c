#include "serve/document/lines.h"

void gy_lines_init(gy_lines *lines, const char *text, size_t bytes)
{
    *lines = (gy_lines){.text = text, .bytes = bytes};
    gy_vec_push(&lines->starts, 0);
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '\r' && i + 1 < bytes && text[i + 1] == '\n')
            i++;
        else if (text[i] != '\n' && text[i] != '\r')
            continue;
        gy_vec_push(&lines->starts, i + 1);
    }
}

void gy_lines_free(gy_lines *lines)
{
    gy_vec_free(&lines->starts);
}

uint32_t gy_line_of(const gy_lines *lines, size_t offset)
{
    size_t low = 0, high = lines->starts.n - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (lines->starts.at[middle] <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    return (uint32_t)low;
}

size_t gy_line_length(const gy_lines *lines, uint32_t line)
{
    if (line >= lines->starts.n)
        return 0;
    size_t start = lines->starts.at[line];
    size_t end = line + 1 < lines->starts.n ? lines->starts.at[line + 1] : lines->bytes;
    while (end > start && line + 1 < lines->starts.n &&
           (lines->text[end - 1] == '\n' || lines->text[end - 1] == '\r'))
        end--;
    return end - start;
}

// The bytes of the character that begins here, and its units.
static size_t character(const char *text, size_t bytes, gy_encoding encoding, uint32_t *units)
{
    unsigned char c = (unsigned char)text[0];
    size_t n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
    if (n > bytes)
        n = 1;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            n = 1;
    *units = encoding == GY_UTF8 ? (uint32_t)n : n == 4 ? 2 : 1;
    return n;
}

uint32_t gy_units(const char *text, size_t bytes, gy_encoding encoding)
{
    uint32_t all = 0, units;
    for (size_t i = 0; i < bytes;
         i += character(text + i, bytes - i, encoding, &units), all += units)
        ;
    return all;
}

gy_position gy_position_of(const gy_lines *lines, size_t offset, gy_encoding encoding)
{
    if (offset > lines->bytes)
        offset = lines->bytes;
    uint32_t line = gy_line_of(lines, offset);
    size_t start = lines->starts.at[line];
    return (gy_position){line, gy_units(lines->text + start, offset - start, encoding)};
}

size_t gy_offset_of(const gy_lines *lines, gy_position position, gy_encoding encoding)
{
    if (position.line >= lines->starts.n)
        return lines->bytes;
    size_t at = lines->starts.at[position.line], end = at + gy_line_length(lines, position.line);
    for (uint32_t passed = 0; at < end && passed < position.character;) {
        uint32_t units;
        size_t n = character(lines->text + at, end - at, encoding, &units);
        passed += units;
        at += n;
    }
    return at;
}
