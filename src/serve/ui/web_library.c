#ifdef GYRE_MICROHTTPD

#include "serve/ui/web_library.h"

#include <dlfcn.h>
#include <stddef.h>

bool gy_web_library_open(gy_web_library *web)
{
    web->handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!web->handle)
        return false;
#define GY_WEB_FUNCTION(name)                                                                      \
    web->name = (__typeof__(MHD_##name) *)dlsym(web->handle, "MHD_" #name);                        \
    if (!web->name)                                                                                \
        return false;
    GY_WEB_FUNCTIONS(GY_WEB_FUNCTION)
#undef GY_WEB_FUNCTION
    return true;
}

void gy_web_library_close(gy_web_library *web)
{
    if (web->handle)
        dlclose(web->handle);
    web->handle = NULL;
}

#endif
