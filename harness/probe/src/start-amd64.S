// Entry, system calls and the return from a signal handler on amd64.

    .text

    .globl _start
_start:
    xor %ebp, %ebp
    mov %rsp, %rdi
    and $-16, %rsp
    call probe_start

    .globl system_call
system_call:
    mov %rdi, %rax
    mov %rsi, %rdi
    mov %rdx, %rsi
    mov %rcx, %rdx
    mov %r8, %r10
    mov %r9, %r8
    mov 8(%rsp), %r9
    syscall
    ret

    .globl signal_return
signal_return:
    mov $15, %eax // rt_sigreturn
    syscall

    .section .note.GNU-stack, "", %progbits
