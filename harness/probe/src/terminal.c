#include <asm/termios.h>
#include <stdbool.h>

#include "steps.h"
#include "streams.h"
#include "system.h"

enum { LOOK_EVERY_NANOSECONDS = 10000000 };

static bool is_terminal(int descriptor) {
    struct termios settings;
    return sys_ioctl(descriptor, TCGETS, &settings) == 0;
}

long step_tty(char **arguments) {
    (void)arguments;
    compose_to(STDOUT);
    put_text("tty=");
    for (int descriptor = STDIN; descriptor <= STDERR; descriptor++) put_byte(is_terminal(descriptor) ? '1' : '0');
    put_byte('\n');
    return compose_end();
}

static long write_size(const struct winsize *size) {
    compose_to(STDOUT);
    put_number(size->ws_row);
    put_byte(' ');
    put_number(size->ws_col);
    put_byte('\n');
    return compose_end();
}

static long write_none(void) {
    compose_to(STDOUT);
    put_text("none\n");
    return compose_end();
}

long step_winsize(char **arguments) {
    (void)arguments;
    struct winsize size;
    return sys_ioctl(STDIN, TIOCGWINSZ, &size) == 0 ? write_size(&size) : write_none();
}

// Looks again and again: a WINCH can come before the size is read for the first time, or not at all.
long step_wait_winsize(char **arguments) {
    (void)arguments;
    const struct __kernel_timespec pause = {.tv_sec = 0, .tv_nsec = LOOK_EVERY_NANOSECONDS};
    struct winsize before, now;
    if (sys_ioctl(STDIN, TIOCGWINSZ, &before) != 0) return write_none();
    for (;;) {
        long error = sys_ioctl(STDIN, TIOCGWINSZ, &now);
        if (error) return error;
        if (now.ws_row != before.ws_row || now.ws_col != before.ws_col) return write_size(&now);
        CALL(__NR_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, 0, 0, 0);
    }
}

long step_raw(char **arguments) {
    (void)arguments;
    struct termios settings;
    if (sys_ioctl(STDIN, TCGETS, &settings) != 0) return 0;
    settings.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
    settings.c_oflag &= ~(tcflag_t)OPOST;
    settings.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    settings.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
    settings.c_cflag |= CS8;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    return sys_ioctl(STDIN, TCSETS, &settings);
}
