#include <linux/mman.h>

#include "steps.h"
#include "streams.h"
#include "system.h"
#include "text.h"

enum { SIGNAL_CHILD = 17, NANOSECONDS = 1000000000 };
enum { PAGE = 4096, MAX_MILLISECONDS = 1 << 30, MAX_MEBIBYTES = 1 << 24 };

static uint64_t clock_now(int clock) {
    struct __kernel_timespec now;
    sys_clock(clock, &now);
    return (uint64_t)now.tv_sec * NANOSECONDS + (uint64_t)now.tv_nsec;
}

long step_exit(char **arguments) {
    const char *text = arguments[0];
    uint64_t code;
    if (!text_number(&text, '\0', 255, &code)) return BAD_ARGUMENT;
    sys_exit((int)code);
}

long step_sleep(char **arguments) {
    const char *text = arguments[0];
    uint64_t milliseconds;
    if (!text_number(&text, '\0', MAX_MILLISECONDS, &milliseconds)) return BAD_ARGUMENT;
    uint64_t until = clock_now(CLOCK_MONOTONIC) + milliseconds * 1000000;
    struct __kernel_timespec at = {.tv_sec = (long)(until / NANOSECONDS), .tv_nsec = (long)(until % NANOSECONDS)};
    long error;
    do error = sys_sleep_until(CLOCK_MONOTONIC, &at);
    while (error == -EINTR);
    return error;
}

_Noreturn long step_forever(char **arguments) {
    (void)arguments;
    for (;;) sys_pause();
}

long step_alloc(char **arguments) {
    const char *text = arguments[0];
    uint64_t mebibytes;
    if (!text_number(&text, '\0', MAX_MEBIBYTES, &mebibytes)) return BAD_ARGUMENT;
    size_t size = (size_t)mebibytes << 20;
    if (size == 0) return 0;
    long memory = CALL(__NR_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory < 0) return memory;
    for (size_t at = 0; at < size; at += PAGE) ((volatile char *)memory)[at] = 1;
    return 0;
}

long step_burn(char **arguments) {
    const char *text = arguments[0];
    uint64_t milliseconds;
    if (!text_number(&text, '\0', MAX_MILLISECONDS, &milliseconds)) return BAD_ARGUMENT;
    uint64_t until = clock_now(CLOCK_PROCESS_CPUTIME_ID) + milliseconds * 1000000;
    while (clock_now(CLOCK_PROCESS_CPUTIME_ID) < until) {
        for (volatile int i = 0; i < 10000; i++) continue;
    }
    return 0;
}

// The child gives up the standard streams, so that they end with its parent.
long step_fork_wait(char **arguments) {
    long child = CALL(__NR_clone, SIGNAL_CHILD, 0, 0, 0, 0, 0);
    if (child > 0) return 0;
    if (child < 0) return child;
    sys_close(STDIN);
    sys_close(STDOUT);
    sys_close(STDERR);
    step_forever(arguments);
}
