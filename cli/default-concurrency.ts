/** How many checks run concurrently by default. */
export const defaultConcurrency = {
  /** A daemon has other work, and its containers use processes of the host. */
  daemon: 8,
  /** Most checks wait, and the embedded engine's containers cost next to nothing. */
  embedded: 64,
} as const;
