#include "directory.h"

#include <stdint.h>

#include "system.h"
#include "text.h"

// As getdents64 gives it.
struct directory_entry {
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
};

static long each_in(int directory, long each(const char *name)) {
    static _Alignas(8) char entries[32768];
    for (;;) {
        long got = CALL(__NR_getdents64, directory, entries, sizeof entries, 0, 0, 0);
        if (got <= 0) return got;
        for (long at = 0; at < got;) {
            const struct directory_entry *entry = (const void *)(entries + at);
            at += entry->size;
            if (text_equal(entry->name, ".") || text_equal(entry->name, "..")) continue;
            long error = each(entry->name);
            if (error) return error;
        }
    }
}

long directory_each(const char *path, long each(const char *name)) {
    long directory = sys_open(path, O_RDONLY | O_DIRECTORY, 0);
    if (directory < 0) return directory;
    long error = each_in((int)directory, each);
    sys_close((int)directory);
    return error;
}
