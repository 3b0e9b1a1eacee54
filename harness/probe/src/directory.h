// The entries of a directory.
#ifndef PROBE_DIRECTORY_H
#define PROBE_DIRECTORY_H

// Calls EACH with every entry's name but "." and "..", in the directory's own order, until it answers an error.
long directory_each(const char *path, long each(const char *name));

#endif
