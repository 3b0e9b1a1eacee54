/**
 * What only the user can know about the target, or permit on it. It passes as one group from the command line to the
 * target that checks are given: an option of this kind is declared here, named on the command line, and read where it
 * matters.
 */
export interface Declared {
  /** The api-cors-header that the daemon was started with; absent when it was started without. */
  readonly corsOrigin?: string;
  /** Whether requests that no client should send may be sent. */
  readonly hostile?: boolean;
}

/** What was declared among other options, without what says nothing. */
export function declaredIn({ corsOrigin, hostile }: Declared): Declared {
  return { ...(corsOrigin && { corsOrigin }), ...(hostile === true && { hostile }) };
}
