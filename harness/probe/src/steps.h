// The steps of docs/probe.md, by subject. A step answers 0, minus the errno, or BAD_ARGUMENT.
#ifndef PROBE_STEPS_H
#define PROBE_STEPS_H

// Below every errno: an argument is not of the form its verb needs.
#define BAD_ARGUMENT (-10000L)

typedef long step_run(char **arguments);

// output.c
step_run step_out, step_err, step_out_fill, step_err_fill;
// input.c
step_run step_echo, step_echo_line, step_count;
// signals.c
step_run step_ignore, step_catch, step_wait_signal;
// process.c
step_run step_exit, step_sleep, step_forever, step_alloc, step_burn, step_fork_wait;
// identity.c
step_run step_env, step_args, step_hostname, step_domainname, step_id, step_cwd, step_pid, step_procs;
// terminal.c
step_run step_tty, step_winsize, step_wait_winsize, step_raw;
// files.c
step_run step_read, step_write, step_append, step_mkdir, step_list, step_remove, step_symlink, step_stat, step_exists;
// network.c
step_run step_listen, step_connect;

#endif
