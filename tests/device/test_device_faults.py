#!/usr/bin/env python3
# check: device: a device that is not there, or fails; seconds 3
"""What can go wrong with a graphics processor: the processors do the search, and why is told.

Without options: a driver that is not what it should be, on any machine; it is a small library made
here, in NVIDIA's place. With --device: on a machine with a graphics processor, whose memory another
program takes, and searches that are interrupted.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import at_work  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, "build", "gyre")
passed = failed = 0

# Memory is the host's; nothing can be run on it. FAULT: the function that fails, and with what.
DRIVER = r"""
#include <stdlib.h>
#include <string.h>
static int fault(const char *name, int good)
{
    const char *wish = getenv("FAULT");
    size_t n = strlen(name);
    return wish && !strncmp(wish, name, n) && wish[n] == '=' ? atoi(wish + n + 1) : good;
}
#define F(name, ...) int name(__VA_ARGS__) { return fault(#name, 0);
typedef unsigned long long address;
F(cuInit, unsigned f) }
int cuDeviceGetCount(int *n) { *n = fault("devices", 1); return 0; }
F(cuDeviceGet, int *d, int n) }
F(cuDeviceGetName, char *name, int n, int d) }
int cuDeviceGetAttribute(int *v, int a, int d) { *v = 9; return 0; }
F(cuDevicePrimaryCtxRetain, void **c, int d) }
F(cuDevicePrimaryCtxRelease_v2, int d) }
F(cuCtxSetCurrent, void *c) }
F(cuCtxSynchronize, void) }
F(cuCtxSetLimit, int l, size_t v) }
F(cuModuleLoadData, void **m, const void *i) }
F(cuModuleUnload, void *m) }
F(cuModuleGetFunction, void **f, void *m, const char *n) }
F(cuLaunchKernel, void *f, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned g,
  unsigned s, void *t, void **p, void **x) }
int cuMemGetInfo_v2(size_t *left, size_t *all) { *left = 64 << 20; *all = 256 << 20; return 0; }
int cuMemAlloc_v2(address *at, size_t n) {
    static int count;
    if (getenv("ALLOCATIONS") && ++count > atoi(getenv("ALLOCATIONS"))) return 2;
    *at = (address)malloc(n); return 0; }
int cuMemFree_v2(address at) { free((void *)at); return 0; }
int cuMemsetD8_v2(address at, unsigned char v, size_t n) {
    memset((void *)at, v, n); return fault("cuMemsetD8_v2", 0); }
int cuMemcpyHtoD_v2(address to, const void *from, size_t n) { memcpy((void *)to, from, n); return 0; }
int cuMemcpyDtoH_v2(void *to, address from, size_t n) { memcpy(to, (void *)from, n); return 0; }
#ifndef OLD
int cuGetErrorString(int e, const char **text)
{
    *text = e == 2 ? "out of memory" : e == 222 ? "the provided PTX was compiled with an unsupported toolchain." :
            e == 719 ? "unspecified launch failure" : e == 100 ? "no CUDA-capable device is detected" : 0;
    return 0;
}
#endif
"""
MODEL = """byte a, b; active proctype P() { do :: a < 9 -> a++ :: a == 9 -> a = 0 od }
active proctype Q() { do :: b < 9 -> b++ :: b == 9 -> b = 0 od }"""


def check(name, good, output=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAILED:", name, "\n", output)


def run(*arguments, **environment):
    done = subprocess.run([GYRE, *arguments, "--check", "safety", "--exact", "--json"], capture_output=True, text=True,
                          check=False, env=dict(os.environ, **environment))
    return done


def falls_back(name, done, words, figures):
    """The processors' answer, and a note with these words."""
    good = done.returncode == figures[0] and words in done.stderr
    report = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    good = good and report["stats"]["backend"] != "cuda" and \
        [report["properties"][0][k] for k in ("states", "transitions")] == figures[1:]
    check(name, good, done.stderr[-600:] + done.stdout[-300:])


def wrong_drivers(folder):
    model = os.path.join(folder, "model.pml")
    with open(model, "w") as f:
        f.write(MODEL)
    for name, option in (("good", []), ("old", ["-DOLD"])):
        os.mkdir(os.path.join(folder, name))
        subprocess.run(["cc", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o",
                        os.path.join(folder, name, "libcuda.so.1"), *option], input=DRIVER, text=True, check=True)
    compiler = os.path.join(folder, "nvcc")
    with open(compiler, "w") as f:
        f.write('#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done\necho code > "$out"\n')
    os.chmod(compiler, 0o700)
    truth = run(model, "--backend", "vm")
    safety = json.loads(truth.stdout)["properties"][0]
    figures = [truth.returncode, safety["states"], safety["transitions"]]
    # 10 values and 2 places of each process
    check("by hand: 20 * 20 states, two steps from each", figures == [0, 400, 801], figures)

    def attempt(name, words, driver="good", **environment):
        settings = {"GYRE_DEVICE": "cuda", "GYRE_NVRTC": "", "GYRE_NVCC": compiler, "GYRE_CACHE": folder,
                    "LD_LIBRARY_PATH": os.path.join(folder, driver), **environment}
        falls_back(name, run(model, "--backend", "cuda", **settings), words, figures)

    attempt("a driver that is too old", "the NVIDIA driver is too old: it has no cuGetErrorString", "old")
    attempt("a driver that does not start", "starting the driver: no CUDA-capable device is detected",
            FAULT="cuInit=100")
    attempt("no device", "no GPU was used: no GPU was found", FAULT="devices=0")
    attempt("all of the device's memory is taken", "the device is in use: out of memory",
            FAULT="cuDevicePrimaryCtxRetain=2")
    attempt("a driver that is older than the compiler", "the compiled code cannot be loaded: the provided PTX",
            FAULT="cuModuleLoadData=222")
    for count in (0, 1, 3):
        attempt("memory is taken meanwhile", "failed after 0 states: memory of the device: out of memory",
                ALLOCATIONS=str(count))
    attempt("memory that cannot be zeroed", "failed after 0 states: zeroing memory", FAULT="cuMemsetD8_v2=700")
    attempt("a kernel that fails", "failed after 0 states: running a kernel: unspecified launch failure",
            FAULT="cuCtxSynchronize=719")
    attempt("a kernel that cannot be started", "failed after 0 states: starting a kernel: unknown error",
            FAULT="cuLaunchKernel=9")
    attempt("a device that does nothing", "failed after 0 states: it has done 0 things where there were 1")
    os.mkdir(os.path.join(folder, "empty"), 0o700)
    attempt("no compiler at all", "nor nvcc was found", GYRE_NVCC="", GYRE_CACHE=os.path.join(folder, "empty"))


# ---- with a device --------------------------------------------------------------------------

LARGE = ["bench/models/anderson.pml", "-DN=5", "-DWORK=3", "--check", "safety", "--exact", "--json"]


def start(*options):
    command = [GYRE, os.path.join(ROOT, LARGE[0]), *LARGE[1:], *options, "--backend", "cuda"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, GYRE_DEVICE="cuda"))


def taken_memory(keep):
    """A process that has all of the device's memory but `keep` MB."""
    text = f"""
import ctypes, sys
cu = ctypes.CDLL("libcuda.so.1")
context, at, left, all_ = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_size_t(), ctypes.c_size_t()
cu.cuInit(0)
cu.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cu.cuCtxSetCurrent(context)
cu.cuMemGetInfo_v2(ctypes.byref(left), ctypes.byref(all_))
size = left.value - ({keep} << 20)
while cu.cuMemAlloc_v2(ctypes.byref(at), ctypes.c_size_t(size)):
    size -= 64 << 20
print("taken", flush=True)
sys.stdin.read()
"""
    process = subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    check("another program takes the memory", process.stdout.readline().strip() == "taken")
    return process


def with_device():
    process = start()
    out, err = at_work.interrupt(process, signal.SIGINT)
    check("an interrupted search", process.returncode == 3 and json.loads(out)["verdict"] == "inconclusive", err)
    process = start("--time", "2")
    out, err = process.communicate(timeout=300)
    check("--time", process.returncode == 3 and "time" in out, err)
    for keep in (0, 300, 900, 3000):
        hog = taken_memory(keep)
        done = run(os.path.join(ROOT, "bench/models/peterson.pml"), "-DN=4", "--backend", "cuda", GYRE_DEVICE="cuda")
        hog.communicate("")
        plain = run(os.path.join(ROOT, "bench/models/peterson.pml"), "-DN=4", "--backend", "native")
        there, here = (json.loads(each.stdout)["properties"][0] for each in (done, plain))
        check("%d MB are left: the same answer" % keep,
              [there[k] for k in ("verdict", "states", "transitions")] ==
              [here[k] for k in ("verdict", "states", "transitions")], done.stderr)
        print("  %d MB left: %s" % (keep, done.stderr.strip()))


def main():
    if "--device" in sys.argv:
        with_device()
    else:
        with tempfile.TemporaryDirectory() as place:
            wrong_drivers(place)
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
