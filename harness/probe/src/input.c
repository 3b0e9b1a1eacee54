#include "steps.h"
#include "streams.h"
#include "system.h"

static char received[65536];

long step_echo(char **arguments) {
    (void)arguments;
    return copy_all(STDIN, STDOUT);
}

// Reads byte by byte: what follows the line belongs to the next step.
long step_echo_line(char **arguments) {
    (void)arguments;
    char byte = 0;
    compose_to(STDOUT);
    while (byte != '\n') {
        long got = read_some(STDIN, &byte, 1);
        if (got < 0) return got;
        if (got == 0) break;
        put_byte(byte);
    }
    return compose_end();
}

long step_count(char **arguments) {
    (void)arguments;
    uint64_t total = 0;
    for (;;) {
        long got = read_some(STDIN, received, sizeof received);
        if (got < 0) return got;
        if (got == 0) break;
        total += (uint64_t)got;
    }
    compose_to(STDOUT);
    put_number(total);
    put_byte('\n');
    return compose_end();
}
