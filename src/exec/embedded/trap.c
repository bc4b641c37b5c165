// See trap.h.
//
// A handler runs on a stack of its own, since the thread's may be what is exhausted. It leaves by
// siglongjmp: the frames of the C that faulted are gone, with whatever they held. Signals are not
// blocked meanwhile (SA_NODEFER), so there is no mask to restore.
#include "exec/embedded/trap.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_BYTES = 64 << 10, NEAR = 64 << 10, NULL_PAGE = 4096 };

static const int caught[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT};

enum { CAUGHT = sizeof caught / sizeof *caught };

// What the process had before, and how many rely on our handlers. Signal handlers are the
// process's own: this cannot be per system.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t users;
static struct sigaction before[CAUGHT];

typedef struct trap {
    sigjmp_buf back;
    const char *volatile why;
    const char *place;
} trap;

static _Thread_local trap *current; // of the call that this thread is in
static _Thread_local bool has_stack;
static _Thread_local char stack[STACK_BYTES];

// ---- inside a handler -------------------------------------------------------------------------

static bool near_stack_pointer(const void *address, const void *context)
{
    uintptr_t at = (uintptr_t)address, top = 0;
    const ucontext_t *c = context;
#if defined(__x86_64__)
    top = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    top = (uintptr_t)c->uc_mcontext.sp;
#else
    (void)c;
#endif
    return top && at + NEAR > top && at < top + NEAR;
}

static const char *reason(int signal, const siginfo_t *info, const void *context)
{
    switch (signal) {
    case SIGFPE:
        return "division by zero, or a quotient that is too large";
    case SIGSEGV:
        if ((uintptr_t)info->si_addr < NULL_PAGE)
            return "null pointer";
        return near_stack_pointer(info->si_addr, context) ? "stack overflow" : "bad pointer";
    case SIGBUS:
        return "bad pointer";
    default:
        return "illegal instruction (undefined behaviour, or a trap of the compiler's)";
    }
}

static void say(const char *text)
{
    for (size_t n = strlen(text); n;) {
        ssize_t done = write(STDERR_FILENO, text, n);
        if (done <= 0)
            return;
        text += done;
        n -= (size_t)done;
    }
}

// Not ours: as if we were not here.
static void pass_on(int signal, siginfo_t *info, void *context)
{
    size_t i = 0;
    while (caught[i] != signal)
        i++;
    const struct sigaction *old = &before[i];
    if (old->sa_flags & SA_SIGINFO)
        old->sa_sigaction(signal, info, context);
    else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
        old->sa_handler(signal);
    else {
        sigaction(signal, old, NULL);
        if (info->si_code <= 0 || signal == SIGABRT) // nothing will repeat it
            raise(signal);
    }
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    trap *t = current;
    if (t && signal != SIGABRT && info->si_code > 0) {
        current = NULL;
        t->why = reason(signal, info, context);
        siglongjmp(t->back, 1);
    }
    if (t && signal == SIGABRT) {
        say("gyre: embedded C was aborted by a library that it called: ");
        say(t->place);
        say("\n");
    }
    pass_on(signal, info, context);
}

// ---- outside ------------------------------------------------------------------------------------

static bool is_ours(const struct sigaction *action)
{
    return action->sa_flags & SA_SIGINFO && action->sa_sigaction == on_signal;
}

void gy_trap_install(void)
{
    struct sigaction now, ours = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    ours.sa_sigaction = on_signal;
    sigemptyset(&ours.sa_mask);
    pthread_mutex_lock(&lock);
    users++;
    for (size_t i = 0; i < CAUGHT; i++)
        if (sigaction(caught[i], NULL, &now) == 0 && !is_ours(&now)) {
            before[i] = now;
            sigaction(caught[i], &ours, NULL);
        }
    pthread_mutex_unlock(&lock);
}

void gy_trap_remove(void)
{
    struct sigaction now;
    pthread_mutex_lock(&lock);
    if (--users == 0)
        for (size_t i = 0; i < CAUGHT; i++)
            if (sigaction(caught[i], NULL, &now) == 0 && is_ours(&now))
                sigaction(caught[i], &before[i], NULL); // else another handler came after this one
    pthread_mutex_unlock(&lock);
}

static void give_stack(void)
{
    stack_t old, ours = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE)
        sigaltstack(&ours, NULL);
    has_stack = true;
}

// For those who watch from outside: who entered last, and what it runs; NULL: it has left.
static _Atomic uint64_t entered;
static _Atomic(const char *) inside;

uint64_t gy_trap_inside(char *place, size_t room)
{
    uint64_t number = atomic_load(&entered);
    const char *at = atomic_load(&inside);
    if (!at)
        return 0;
    // What it points to is there for as long as the call lasts: if it still does, the copy is good.
    snprintf(place, room, "%s", at);
    return atomic_load(&inside) == at && atomic_load(&entered) == number ? number : 0;
}

const char *gy_trap_run(void (*call)(void *user), void *user, const char *place)
{
    trap t = {.why = NULL, .place = place};
    trap *outer = current;
    if (!has_stack)
        give_stack();
    atomic_fetch_add(&entered, 1);
    atomic_store(&inside, place);
    if (sigsetjmp(t.back, 0) == 0) {
        current = &t;
        call(user);
    }
    current = outer;
    atomic_store(&inside, NULL);
    return t.why;
}

void gy_trap_leave(void)
{
    trap *t = current;
    if (!t)
        return;
    current = NULL;
    t->why = "";
    siglongjmp(t->back, 1);
}
