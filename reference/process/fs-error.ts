/** The error numbers of Linux that a process can meet. */
export const errno = {
  EPERM: 1,
  ENOENT: 2,
  EBADF: 9,
  EAGAIN: 11,
  EACCES: 13,
  EBUSY: 16,
  EEXIST: 17,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  ENOSPC: 28,
  EROFS: 30,
  ENOTEMPTY: 39,
  ELOOP: 40,
  EADDRINUSE: 98,
  ENETUNREACH: 101,
  ECONNREFUSED: 111,
  EHOSTUNREACH: 113,
} as const;

/** A failed system call of a simulated process. */
export class FsError extends Error {
  readonly errno: number;

  constructor(number: number) {
    super(`error ${number}`);
    this.errno = number;
  }
}
