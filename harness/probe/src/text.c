#include "text.h"

bool text_equal(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

bool text_number(const char **text, char end, uint64_t limit, uint64_t *number) {
    const char *at = *text;
    uint64_t value = 0;
    if (*at == end) return false;
    for (; *at != end; at++) {
        if (*at < '0' || *at > '9') return false;
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (limit - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *number = value;
    *text = *at ? at + 1 : at;
    return true;
}
