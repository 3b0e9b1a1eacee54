#include <stdbool.h>

#include "identity.h"
#include "signals.h"
#include "steps.h"
#include "streams.h"
#include "system.h"
#include "text.h"

enum { EXIT_USAGE = 124, EXIT_FAILED = 125, MASK_OF_NEW_FILES = 022 };

// An engine that simulates processes knows the program by these bytes.
__attribute__((used)) static const char marker[] = "engine-conformance-probe/1";

static const struct step {
    const char *verb;
    int arguments;
    step_run *run;
} steps[] = {
    {"out", 1, step_out},
    {"err", 1, step_err},
    {"out-fill", 1, step_out_fill},
    {"err-fill", 1, step_err_fill},
    {"exit", 1, step_exit},
    {"sleep", 1, step_sleep},
    {"forever", 0, step_forever},
    {"ignore", 1, step_ignore},
    {"catch", 0, step_catch},
    {"wait-signal", 0, step_wait_signal},
    {"echo", 0, step_echo},
    {"echo-line", 0, step_echo_line},
    {"count", 0, step_count},
    {"env", 0, step_env},
    {"args", 0, step_args},
    {"hostname", 0, step_hostname},
    {"domainname", 0, step_domainname},
    {"id", 0, step_id},
    {"cwd", 0, step_cwd},
    {"tty", 0, step_tty},
    {"winsize", 0, step_winsize},
    {"wait-winsize", 0, step_wait_winsize},
    {"raw", 0, step_raw},
    {"pid", 0, step_pid},
    {"procs", 0, step_procs},
    {"read", 1, step_read},
    {"write", 2, step_write},
    {"append", 2, step_append},
    {"mkdir", 1, step_mkdir},
    {"list", 1, step_list},
    {"remove", 1, step_remove},
    {"symlink", 2, step_symlink},
    {"stat", 1, step_stat},
    {"exists", 1, step_exists},
    {"alloc", 1, step_alloc},
    {"burn", 1, step_burn},
    {"fork-wait", 0, step_fork_wait},
    {"listen", 1, step_listen},
    {"connect", 2, step_connect},
};

_Noreturn static void end_for_usage(const char *verb) {
    compose_to(STDERR);
    put_text("probe: usage: ");
    put_text(verb);
    put_byte('\n');
    compose_end();
    sys_exit(EXIT_USAGE);
}

_Noreturn static void end_for_failure(const char *verb, long error) {
    compose_to(STDERR);
    put_text("probe: ");
    put_text(verb);
    put_text(": error ");
    put_number((uint64_t)-error);
    put_byte('\n');
    compose_end();
    sys_exit(EXIT_FAILED);
}

static const struct step *step_named(const char *verb) {
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (text_equal(steps[i].verb, verb)) return &steps[i];
    }
    end_for_usage(verb);
}

static long write_error(long error) {
    compose_to(STDOUT);
    put_text("error ");
    put_number((uint64_t)-error);
    put_byte('\n');
    return compose_end();
}

// Runs the step at NEXT and answers where the one after it begins.
static char **run_step(char **next) {
    bool tried = text_equal(*next, "try");
    if (tried && !*++next) end_for_usage("try");
    const struct step *step = step_named(*next++);
    char **arguments = next;
    for (int i = 0; i < step->arguments; i++) {
        if (!*next++) end_for_usage(step->verb);
    }
    long error = step->run(arguments);
    if (error == BAD_ARGUMENT) end_for_usage(step->verb);
    if (error && tried) error = write_error(error);
    if (error) end_for_failure(step->verb, error);
    return next;
}

// STACK is as the kernel leaves it: the number of arguments, the arguments, null, the environment, null.
_Noreturn void probe_start(long *stack) {
    char **arguments = (char **)(stack + 1);
    char **next = arguments + 1;
    identity_start(arguments, arguments + stack[0] + 1);
    signals_start();
    CALL(__NR_umask, MASK_OF_NEW_FILES, 0, 0, 0, 0, 0);
    // Started with not even a name of its own, it has no steps either.
    if (stack[0] < 2) step_forever(next);
    while (*next) next = run_step(next);
    sys_exit(0);
}
