#include "identity.h"

#include <linux/utsname.h>

#include "directory.h"
#include "steps.h"
#include "streams.h"
#include "system.h"
#include "text.h"

static char **own_arguments;
static char **own_environment;

void identity_start(char **arguments, char **environment) {
    own_arguments = arguments;
    own_environment = environment;
}

static long write_line(const char *text) {
    compose_to(STDOUT);
    put_text(text);
    put_byte('\n');
    return compose_end();
}

static long write_lines(char **texts) {
    long error = 0;
    while (*texts && !error) error = write_line(*texts++);
    return error;
}

long step_env(char **arguments) {
    (void)arguments;
    return write_lines(own_environment);
}

long step_args(char **arguments) {
    (void)arguments;
    return write_lines(own_arguments);
}

long step_hostname(char **arguments) {
    (void)arguments;
    struct new_utsname names;
    long error = CALL(__NR_uname, &names, 0, 0, 0, 0, 0);
    return error ? error : write_line(names.nodename);
}

long step_domainname(char **arguments) {
    (void)arguments;
    struct new_utsname names;
    long error = CALL(__NR_uname, &names, 0, 0, 0, 0, 0);
    return error ? error : write_line(names.domainname);
}

long step_id(char **arguments) {
    (void)arguments;
    static uint32_t groups[65536];
    long count = CALL(__NR_getgroups, sizeof groups / sizeof groups[0], groups, 0, 0, 0, 0);
    if (count < 0) return count;
    compose_to(STDOUT);
    put_text("uid=");
    put_number((uint64_t)CALL(__NR_getuid, 0, 0, 0, 0, 0, 0));
    put_text(" gid=");
    put_number((uint64_t)CALL(__NR_getgid, 0, 0, 0, 0, 0, 0));
    put_text(" groups=");
    for (long i = 0; i < count; i++) {
        if (i > 0) put_byte(',');
        put_number(groups[i]);
    }
    put_byte('\n');
    return compose_end();
}

long step_cwd(char **arguments) {
    (void)arguments;
    char path[4096];
    long length = CALL(__NR_getcwd, path, sizeof path, 0, 0, 0, 0);
    return length < 0 ? length : write_line(path);
}

long step_pid(char **arguments) {
    (void)arguments;
    compose_to(STDOUT);
    put_number((uint64_t)CALL(__NR_getpid, 0, 0, 0, 0, 0, 0));
    put_byte(' ');
    put_number((uint64_t)CALL(__NR_getppid, 0, 0, 0, 0, 0, 0));
    put_byte('\n');
    return compose_end();
}

// Writes one entry of /proc; one that is no process, or is gone by now, writes nothing.
static long write_process(const char *name) {
    // A number has at most 10 digits, and a command's name 15 bytes and a newline.
    char path[sizeof "/proc/0123456789/comm"] = "/proc/";
    char command[64];
    uint64_t pid;
    const char *text = name;
    if (!text_number(&text, '\0', INT32_MAX, &pid)) return 0;
    size_t end = sizeof "/proc/" - 1;
    while (*name) path[end++] = *name++;
    for (const char *file = "/comm"; *file;) path[end++] = *file++;
    long process = sys_open(path, O_RDONLY, 0);
    if (process < 0) return 0;
    long length = read_some((int)process, command, sizeof command);
    sys_close((int)process);
    if (length <= 0) return 0;
    compose_to(STDOUT);
    put_number(pid);
    put_byte(' ');
    for (long i = 0; i < length; i++) put_byte(command[i]);
    return compose_end();
}

long step_procs(char **arguments) {
    (void)arguments;
    return directory_each("/proc", write_process);
}
