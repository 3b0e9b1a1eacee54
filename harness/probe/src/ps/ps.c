// The ps of the probe image, for engines that list the processes of a container by running one in it.
// User, process and parent numbers and commands are those of /proc; columns that it does not know are `-`.
#include <asm/stat.h>

#include "../directory.h"
#include "../streams.h"
#include "../system.h"
#include "../text.h"

enum { BYTES = 4096, PARENT = 3 };

static bool is_full;

static bool is_one_of(char byte, const char *bytes) {
    while (*bytes && *bytes != byte) bytes++;
    return *bytes;
}

// Builds /proc/PID/FILE.
static void path_to(char *path, const char *pid, const char *file) {
    for (const char *part = "/proc/"; *part;) *path++ = *part++;
    while (*pid) *path++ = *pid++;
    while (*file) *path++ = *file++;
    *path = '\0';
}

static long read_file(const char *pid, const char *name, char *bytes) {
    char path[sizeof "/proc/0123456789/cmdline"];
    path_to(path, pid, name);
    long file = sys_open(path, O_RDONLY, 0);
    if (file < 0) return file;
    long length = read_some((int)file, bytes, BYTES - 1);
    sys_close((int)file);
    bytes[length < 0 ? 0 : length] = '\0';
    return length;
}

// The N-th text of a /proc/PID/stat; the first ends with the last parenthesis, as a command may hold anything.
static const char *field(const char *stat, int n) {
    const char *at = stat;
    for (const char *look = stat; *look; look++) {
        if (*look == ')') at = look;
    }
    for (; *at && n > 1; at++) {
        if (*at == ' ') n--;
    }
    return at;
}

static void put_padded(const char *text) {
    while (*text && !is_one_of(*text, " \n")) put_byte(*text++);
    put_byte(' ');
}

// The command's name, for a process without a command line.
static void put_name(const char *stat) {
    const char *end = field(stat, 1);
    while (*stat && *stat != '(') stat++;
    while (stat < end) put_byte(*++stat == ')' ? ']' : *stat);
}

static void put_command(const char *pid, const char *stat) {
    static char line[BYTES];
    long length = read_file(pid, "/cmdline", line);
    for (long i = 0; i < length; i++) {
        bool is_last = i == length - 1;
        if (line[i] != '\0') put_byte(is_one_of(line[i], "\r\n") ? ' ' : line[i]);
        else if (!is_last) put_byte(' ');
    }
    if (length > 0) return;
    put_byte('[');
    put_name(stat);
}

static long write_process(const char *pid) {
    static char stat[BYTES];
    const char *text = pid;
    uint64_t number;
    struct stat status;
    char path[sizeof "/proc/0123456789"];
    if (!text_number(&text, '\0', INT32_MAX, &number)) return 0;
    // It is no process of the container's own.
    if (number == (uint64_t)CALL(__NR_getpid, 0, 0, 0, 0, 0, 0)) return 0;
    path_to(path, pid, "");
    if (read_file(pid, "/stat", stat) <= 0) return 0;
    if (CALL(__NR_newfstatat, AT_FDCWD, path, &status, 0, 0, 0)) return 0;
    compose_to(STDOUT);
    put_number(status.st_uid);
    put_byte(' ');
    put_padded(pid);
    if (is_full) {
        put_padded(field(stat, PARENT));
        put_text("- - - - ");
    } else {
        put_text("- - - - - - - - ");
    }
    put_command(pid, stat);
    put_byte('\n');
    return compose_end();
}

// STACK is as the kernel leaves it: the number of arguments, the arguments, null.
_Noreturn void probe_start(long *stack) {
    const char *argument = stack[0] > 1 ? (const char *)stack[2] : "-ef";
    is_full = text_equal(argument, "-ef");
    if (!is_full && !text_equal(argument, "aux")) {
        compose_to(STDERR);
        put_text("ps: takes -ef or aux\n");
        compose_end();
        sys_exit(1);
    }
    compose_to(STDOUT);
    put_text(is_full ? "UID PID PPID C STIME TTY TIME CMD\n"
                     : "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\n");
    compose_end();
    sys_exit(directory_each("/proc", write_process) ? 1 : 0);
}
