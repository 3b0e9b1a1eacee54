// The probe's own signal handlers.
#ifndef PROBE_SIGNALS_H
#define PROBE_SIGNALS_H

// Sets the handlers the probe starts with, whatever it inherited.
void signals_start(void);

#endif
