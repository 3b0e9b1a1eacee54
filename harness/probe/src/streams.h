// Whole reads and writes on descriptors, and texts composed so that they leave in one write.
#ifndef PROBE_STREAMS_H
#define PROBE_STREAMS_H

#include <stddef.h>
#include <stdint.h>

// Reads up to SIZE bytes, at least one unless at the end of file (0).
long read_some(int descriptor, void *bytes, size_t size);

// Writes all SIZE bytes.
long write_all(int descriptor, const void *bytes, size_t size);

// Copies until end of file.
long copy_all(int from, int to);

// One text is composed at a time: compose_to, any number of put_*, then compose_end, which writes it.
// A text that outgrows the buffer leaves in several writes.
void compose_to(int descriptor);
void put_byte(char byte);
void put_text(const char *text);
void put_escaped(const char *text);
void put_number(uint64_t number);
void put_octal(uint64_t number);
long compose_end(void);

#endif
