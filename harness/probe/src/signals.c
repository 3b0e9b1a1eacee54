#include "signals.h"

#include <stdbool.h>

#include "steps.h"
#include "streams.h"
#include "system.h"
#include "text.h"

enum { HUP = 1, INT = 2, QUIT = 3, KILL = 9, USR1 = 10, USR2 = 12, PIPE = 13, ALRM = 14, TERM = 15 };
enum { CHLD = 17, CONT = 18, STOP = 19, TSTP = 20, TTIN = 21, TTOU = 22, URG = 23, WINCH = 28 };
// 32 and 33 belong to the threads of C libraries.
enum { FIRST_RESERVED = 32, LAST_RESERVED = 33, LAST_SIGNAL = 64 };
enum { SET_MASK = 2, RESTORER = 0x04000000, RESTART = 0x10000000 };

typedef void signal_handler(int number);

// As the kernel has it, on amd64 and arm64 alike.
struct kernel_action {
    signal_handler *handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

#define IGNORE_SIGNAL ((signal_handler *)1)

enum { QUEUE_SIZE = 256 };
static volatile unsigned char queue[QUEUE_SIZE];
static volatile unsigned queue_first, queue_next;

static const uint64_t all_signals = ~(uint64_t)0;
static const uint64_t no_signals = 0;

static long handle(int number, signal_handler *handler) {
    struct kernel_action action = {handler, RESTORER | RESTART, signal_return, all_signals};
    return CALL(__NR_rt_sigaction, number, &action, 0, sizeof action.mask, 0, 0);
}

static void set_mask(const uint64_t *mask) {
    CALL(__NR_rt_sigprocmask, SET_MASK, mask, 0, sizeof *mask, 0, 0);
}

static void end_probe(int number) {
    sys_exit(128 + number);
}

// Handlers run one at a time, with every signal held back.
static void enqueue(int number) {
    if (queue_next - queue_first == QUEUE_SIZE) return;
    queue[queue_next % QUEUE_SIZE] = (unsigned char)number;
    queue_next++;
}

void signals_start(void) {
    static const unsigned char ending[] = {HUP, INT, QUIT, USR1, USR2, ALRM, TERM};
    for (size_t i = 0; i < sizeof ending; i++) handle(ending[i], end_probe);
    // A reader that went away is an error of the step that writes, as process 1 or not.
    handle(PIPE, IGNORE_SIGNAL);
    set_mask(&no_signals);
}

static bool can_be_caught(int number) {
    switch (number) {
        case KILL:
        case CHLD:
        case CONT:
        case STOP:
        case TSTP:
        case TTIN:
        case TTOU:
        case URG:
        case WINCH:
            return false;
        default:
            return number < FIRST_RESERVED || number > LAST_RESERVED;
    }
}

long step_ignore(char **arguments) {
    const char *text = arguments[0];
    uint64_t number;
    if (!text_number(&text, '\0', LAST_SIGNAL, &number)) return BAD_ARGUMENT;
    return handle((int)number, IGNORE_SIGNAL);
}

long step_catch(char **arguments) {
    (void)arguments;
    for (int number = 1; number <= LAST_SIGNAL; number++) {
        if (!can_be_caught(number)) continue;
        long error = handle(number, enqueue);
        if (error) return error;
    }
    return 0;
}

long step_wait_signal(char **arguments) {
    (void)arguments;
    set_mask(&all_signals);
    while (queue_first == queue_next) CALL(__NR_rt_sigsuspend, &no_signals, sizeof no_signals, 0, 0, 0, 0);
    int number = queue[queue_first % QUEUE_SIZE];
    queue_first++;
    set_mask(&no_signals);
    compose_to(STDOUT);
    put_text("signal ");
    put_number((uint64_t)number);
    put_byte('\n');
    return compose_end();
}
