// What the process was started with.
#ifndef PROBE_IDENTITY_H
#define PROBE_IDENTITY_H

// Keeps the arguments and environment for `args` and `env`; both end with a null pointer.
void identity_start(char **arguments, char **environment);

#endif
