#include "streams.h"

#include <asm/poll.h>

#include "system.h"

enum { BUFFER_SIZE = 65536 };

static char copied[BUFFER_SIZE];

static struct {
    int descriptor;
    size_t length;
    long error;
    char bytes[2 * BUFFER_SIZE];
} composed;

// The descriptors may have been made non-blocking by whoever shares them.
static void wait_for(int descriptor, short events) {
    struct pollfd watched = {.fd = descriptor, .events = events, .revents = 0};
    CALL(__NR_ppoll, &watched, 1, 0, 0, 0, 0);
}

long read_some(int descriptor, void *bytes, size_t size) {
    for (;;) {
        long got = CALL(__NR_read, descriptor, bytes, size, 0, 0, 0);
        if (got == -EAGAIN) wait_for(descriptor, POLLIN);
        else if (got != -EINTR) return got;
    }
}

long write_all(int descriptor, const void *bytes, size_t size) {
    const char *next = bytes;
    while (size > 0) {
        long written = CALL(__NR_write, descriptor, next, size, 0, 0, 0);
        if (written == -EAGAIN) {
            wait_for(descriptor, POLLOUT);
        } else if (written >= 0) {
            next += written;
            size -= (size_t)written;
        } else if (written != -EINTR) {
            return written;
        }
    }
    return 0;
}

long copy_all(int from, int to) {
    for (;;) {
        long got = read_some(from, copied, sizeof copied);
        if (got <= 0) return got;
        long error = write_all(to, copied, (size_t)got);
        if (error) return error;
    }
}

void compose_to(int descriptor) {
    composed.descriptor = descriptor;
    composed.length = 0;
    composed.error = 0;
}

static void flush(void) {
    if (!composed.error) composed.error = write_all(composed.descriptor, composed.bytes, composed.length);
    composed.length = 0;
}

void put_byte(char byte) {
    if (composed.length == sizeof composed.bytes) flush();
    composed.bytes[composed.length++] = byte;
}

void put_text(const char *text) {
    while (*text) put_byte(*text++);
}

static int hex_digit(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

// Puts what the escape after a backslash stands for and answers its length; 0 when it is none.
static size_t put_escape(const char *escape) {
    switch (escape[0]) {
        case 'n':
            put_byte('\n');
            return 1;
        case 'r':
            put_byte('\r');
            return 1;
        case 't':
            put_byte('\t');
            return 1;
        case '\\':
            put_byte('\\');
            return 1;
        case 'x':
            if (hex_digit(escape[1]) < 0 || hex_digit(escape[2]) < 0) return 0;
            put_byte((char)(hex_digit(escape[1]) * 16 + hex_digit(escape[2])));
            return 3;
        default:
            return 0;
    }
}

void put_escaped(const char *text) {
    while (*text) {
        size_t escape = *text == '\\' ? put_escape(text + 1) : 0;
        if (!escape) put_byte(*text);
        text += 1 + escape;
    }
}

static void put_in_base(uint64_t number, unsigned base) {
    char digits[24];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % base);
        number /= base;
    } while (number);
    while (count) put_byte(digits[--count]);
}

void put_number(uint64_t number) {
    put_in_base(number, 10);
}

void put_octal(uint64_t number) {
    put_in_base(number, 8);
}

long compose_end(void) {
    flush();
    return composed.error;
}
