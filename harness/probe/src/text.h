// Texts and numbers.
#ifndef PROBE_TEXT_H
#define PROBE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool text_equal(const char *a, const char *b);

// Reads an unsigned decimal number that ends at END ('\0' for a whole text) and moves *TEXT past it and END.
// False when there are no digits, something else follows, or it is larger than LIMIT.
bool text_number(const char **text, char end, uint64_t limit, uint64_t *number);

#endif
