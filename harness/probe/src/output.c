#include "steps.h"
#include "streams.h"
#include "system.h"
#include "text.h"

enum { PERIOD = 26, WRITE_SIZE = 65536 };

static char pattern[WRITE_SIZE + PERIOD];

static long write_text(int descriptor, const char *text) {
    compose_to(descriptor);
    put_escaped(text);
    return compose_end();
}

static long fill(int descriptor, const char *amount) {
    uint64_t size;
    if (!text_number(&amount, '\0', INT64_MAX, &size)) return BAD_ARGUMENT;
    for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = (char)('a' + i % PERIOD);
    for (uint64_t done = 0; done < size;) {
        size_t part = size - done < WRITE_SIZE ? (size_t)(size - done) : WRITE_SIZE;
        long error = write_all(descriptor, pattern + done % PERIOD, part);
        if (error) return error;
        done += part;
    }
    return 0;
}

long step_out(char **arguments) {
    return write_text(STDOUT, arguments[0]);
}

long step_err(char **arguments) {
    return write_text(STDERR, arguments[0]);
}

long step_out_fill(char **arguments) {
    return fill(STDOUT, arguments[0]);
}

long step_err_fill(char **arguments) {
    return fill(STDERR, arguments[0]);
}
