#include "device/device.h"

#include <stdlib.h>
#include <string.h>

const char *const gy_device_kernel_names[GY_KERNELS] = {
    [GY_KERNEL_EXPAND] = "expand", [GY_KERNEL_INSERT] = "insert", [GY_KERNEL_SPELL] = "spell",
    [GY_KERNEL_NAME] = "name_it",  [GY_KERNEL_REHASH] = "rehash", [GY_KERNEL_SETTLE] = "settle",
};

gy_device *gy_device_open(uint64_t memory, char **problem)
{
    const char *wish = getenv("GYRE_DEVICE");
    gy_device *device;
    if (wish && *wish && strcmp(wish, "host") && strcmp(wish, "cuda")) {
        *problem = strdup("GYRE_DEVICE must be cuda or host");
        return NULL;
    }
    device =
        wish && !strcmp(wish, "host") ? gy_device_open_host(problem) : gy_device_open_cuda(problem);
    if (device && memory && device->memory > memory)
        device->memory = memory;
    return device;
}
