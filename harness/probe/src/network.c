#include <asm/socket.h>
#include <linux/in.h>
#include <stdbool.h>

#include "steps.h"
#include "streams.h"
#include "system.h"
#include "text.h"

enum { INTERNET = 2, STREAM = 1, BACKLOG = 64 };

static bool read_port(const char *text, struct sockaddr_in *address) {
    uint64_t port;
    if (!text_number(&text, '\0', 65535, &port)) return false;
    address->sin_port = (uint16_t)__builtin_bswap16((uint16_t)port);
    return true;
}

static bool read_address(const char *text, struct sockaddr_in *address) {
    uint8_t *parts = (uint8_t *)&address->sin_addr;
    for (int i = 0; i < 4; i++) {
        uint64_t part;
        if (!text_number(&text, i < 3 ? '.' : '\0', 255, &part)) return false;
        parts[i] = (uint8_t)part;
    }
    return true;
}

static long open_socket(void) {
    return CALL(__NR_socket, INTERNET, STREAM, 0, 0, 0, 0);
}

// A peer that goes away early is its own affair.
static void serve(int listener) {
    static const char greeting[] = "probe\n";
    long connection = CALL(__NR_accept4, listener, 0, 0, 0, 0, 0);
    if (connection < 0) return;
    write_all((int)connection, greeting, sizeof greeting - 1);
    sys_close((int)connection);
}

long step_listen(char **arguments) {
    struct sockaddr_in address = {.sin_family = INTERNET};
    if (!read_port(arguments[0], &address)) return BAD_ARGUMENT;
    const int yes = 1;
    long listener = open_socket();
    if (listener < 0) return listener;
    CALL(__NR_setsockopt, listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes, 0);
    long error = CALL(__NR_bind, listener, &address, sizeof address, 0, 0, 0);
    if (!error) error = CALL(__NR_listen, listener, BACKLOG, 0, 0, 0, 0);
    if (error) {
        sys_close((int)listener);
        return error;
    }
    for (;;) serve((int)listener);
}

long step_connect(char **arguments) {
    struct sockaddr_in address = {.sin_family = INTERNET};
    if (!read_address(arguments[0], &address) || !read_port(arguments[1], &address)) return BAD_ARGUMENT;
    long connection = open_socket();
    if (connection < 0) return connection;
    long error = CALL(__NR_connect, connection, &address, sizeof address, 0, 0, 0);
    if (!error) error = copy_all((int)connection, STDOUT);
    sys_close((int)connection);
    return error;
}
