// The system calls the probe makes. Each answers a value of 0 or more, or minus the errno.
#ifndef PROBE_SYSTEM_H
#define PROBE_SYSTEM_H

#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/time.h>
#include <stddef.h>

// In start-amd64.S and start-arm64.S.
long system_call(long number, long a, long b, long c, long d, long e, long f);
void signal_return(void);

#define CALL(number, a, b, c, d, e, f) \
    system_call((number), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

enum { STDIN = 0, STDOUT = 1, STDERR = 2 };

_Noreturn static inline void sys_exit(int code) {
    for (;;) CALL(__NR_exit_group, code, 0, 0, 0, 0, 0);
}

static inline long sys_open(const char *path, int flags, int mode) {
    return CALL(__NR_openat, AT_FDCWD, path, flags, mode, 0, 0);
}

static inline long sys_close(int descriptor) {
    return CALL(__NR_close, descriptor, 0, 0, 0, 0, 0);
}

static inline long sys_ioctl(int descriptor, unsigned long request, void *argument) {
    return CALL(__NR_ioctl, descriptor, request, argument, 0, 0, 0);
}

// Sleeps until CLOCK reaches UNTIL; ends early with -EINTR when a handler ran.
static inline long sys_sleep_until(int clock, const struct __kernel_timespec *until) {
    return CALL(__NR_clock_nanosleep, clock, TIMER_ABSTIME, until, 0, 0, 0);
}

static inline long sys_clock(int clock, struct __kernel_timespec *now) {
    return CALL(__NR_clock_gettime, clock, now, 0, 0, 0, 0);
}

// Waits for ever; comes back only after a handler ran.
static inline void sys_pause(void) {
    CALL(__NR_ppoll, 0, 0, 0, 0, 0, 0);
}

#endif
