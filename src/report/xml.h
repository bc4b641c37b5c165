// Text and attributes of XML, out of text that may hold any bytes.
#ifndef GYRE_REPORT_XML_H
#define GYRE_REPORT_XML_H

#include "base/text.h"

void gy_xml_text(gy_text *out, const char *text); // NULL: nothing
void gy_xml_attribute(gy_text *out, const char *name, const char *value);

#endif
