// The page of `gyre ui` over HTTP, on this machine alone: who may ask, and how much.
//
// The server listens on 127.0.0.1. Every request must have the token: the page in its address
// (?token=), its parts in their paths (/page/TOKEN/…), all else in the header X-Gyre-Token. Host
// and Origin must be ours, so that neither another site nor a name that was bound to 127.0.0.1 gets
// through a browser. Bodies, headers, connections and the time that each may take are limited.
#ifndef GYRE_SERVE_UI_HTTP_H
#define GYRE_SERVE_UI_HTTP_H

#include "serve/ui/ui_api.h"

typedef struct gy_http gy_http;

// NULL: *problem says why. Port 0: any that is free. The directory must stay where it is;
// options.ready is set here.
gy_http *gy_http_start(const gy_ui_api_options *options, unsigned port, gy_text *problem);
// What to open in a browser: http://127.0.0.1:PORT/?token=TOKEN
const char *gy_http_address(const gy_http *http);
// Stops all that runs, answers who waits, and frees it.
void gy_http_stop(gy_http *http);

#endif
