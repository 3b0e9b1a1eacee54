/** The user asked for something that cannot be done; the message says what to do. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
