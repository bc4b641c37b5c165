// What is called of libmicrohttpd, found when a page is to be served: linked as usual it would
// bring a dozen libraries along, and every start of the program would pay for them.
//
// Owner: the code that declares it; zeroed, it is not open. It may be closed when no daemon is
// left.
#ifndef GYRE_SERVE_UI_WEB_LIBRARY_H
#define GYRE_SERVE_UI_WEB_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>

#define GY_WEB_FUNCTIONS(X)                                                                        \
    X(add_response_header)                                                                         \
    X(create_response_from_buffer)                                                                 \
    X(destroy_response)                                                                            \
    X(get_connection_info)                                                                         \
    X(get_daemon_info)                                                                             \
    X(lookup_connection_value)                                                                     \
    X(lookup_connection_value_n)                                                                   \
    X(queue_response)                                                                              \
    X(quiesce_daemon)                                                                              \
    X(resume_connection)                                                                           \
    X(start_daemon)                                                                                \
    X(stop_daemon)                                                                                 \
    X(suspend_connection)

typedef struct gy_web_library {
    void *handle;
#define GY_WEB_FUNCTION(name) __typeof__(MHD_##name) *name;
    GY_WEB_FUNCTIONS(GY_WEB_FUNCTION)
#undef GY_WEB_FUNCTION
} gy_web_library;

// False: it is not there, or too old; dlerror() says so.
bool gy_web_library_open(gy_web_library *web);
void gy_web_library_close(gy_web_library *web);

#endif
