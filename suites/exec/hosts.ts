import { fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';

/** A running container in which the checks run commands that change nothing in it. */
export const host = fixture('a running container for commands', ({ engine }) =>
  makeContainer(engine, { state: 'running' }),
);
