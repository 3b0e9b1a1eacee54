// Entry, system calls and the return from a signal handler on arm64.

    .text

    .globl _start
_start:
    mov x29, #0
    mov x30, #0
    mov x0, sp
    b probe_start

    .globl system_call
system_call:
    mov x8, x0
    mov x0, x1
    mov x1, x2
    mov x2, x3
    mov x3, x4
    mov x4, x5
    mov x5, x6
    svc #0
    ret

    .globl signal_return
signal_return:
    mov x8, #139 // rt_sigreturn
    svc #0

    .section .note.GNU-stack, "", %progbits
