#include <asm/stat.h>
#include <linux/stat.h>

#include "directory.h"
#include "steps.h"
#include "streams.h"
#include "system.h"

static long stat_link(const char *path, struct stat *status) {
    return CALL(__NR_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, 0, 0);
}

long step_read(char **arguments) {
    long file = sys_open(arguments[0], O_RDONLY, 0);
    if (file < 0) return file;
    long error = copy_all((int)file, STDOUT);
    sys_close((int)file);
    return error;
}

static long write_file(const char *path, int mode_of_opening, const char *text) {
    long file = sys_open(path, O_WRONLY | O_CREAT | mode_of_opening, 0644);
    if (file < 0) return file;
    compose_to((int)file);
    put_escaped(text);
    long error = compose_end();
    long close_error = sys_close((int)file);
    return error ? error : close_error;
}

long step_write(char **arguments) {
    return write_file(arguments[0], O_TRUNC, arguments[1]);
}

long step_append(char **arguments) {
    return write_file(arguments[0], O_APPEND, arguments[1]);
}

long step_mkdir(char **arguments) {
    return CALL(__NR_mkdirat, AT_FDCWD, arguments[0], 0755, 0, 0, 0);
}

static long write_name(const char *name) {
    compose_to(STDOUT);
    put_text(name);
    put_byte('\n');
    return compose_end();
}

long step_list(char **arguments) {
    return directory_each(arguments[0], write_name);
}

long step_remove(char **arguments) {
    struct stat status;
    long error = stat_link(arguments[0], &status);
    if (error) return error;
    int flags = S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0;
    return CALL(__NR_unlinkat, AT_FDCWD, arguments[0], flags, 0, 0, 0);
}

long step_symlink(char **arguments) {
    return CALL(__NR_symlinkat, arguments[0], AT_FDCWD, arguments[1], 0, 0, 0);
}

long step_stat(char **arguments) {
    struct stat status;
    long error = stat_link(arguments[0], &status);
    if (error) return error;
    compose_to(STDOUT);
    put_octal(status.st_mode);
    put_byte(' ');
    put_number(status.st_uid);
    put_byte(' ');
    put_number(status.st_gid);
    put_byte(' ');
    put_number((uint64_t)status.st_size);
    put_byte('\n');
    return compose_end();
}

long step_exists(char **arguments) {
    struct stat status;
    long error = stat_link(arguments[0], &status);
    if (error && error != -ENOENT && error != -ENOTDIR) return error;
    return write_name(error ? "no" : "yes");
}
