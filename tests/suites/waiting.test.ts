import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const suites = fileURLToPath(new URL('../../suites/', import.meta.url));

/** Where time itself is what a daemon is tried with; everything else waits for a condition. */
const withTimers = {
  'containers/attach/attach-clients.ts': 'a client that reads slowly',
  'generated/hostile-transfers.ts': 'a client that is gone for a moment',
  'generated/streams-input.ts': 'a client that sends input in pieces, with pauses',
  'registry/support/client-patience.ts': 'bounds of promises',
};

test('nothing in the suites sleeps but what tries a daemon with time', () => {
  const found = readdirSync(suites, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\bset(Timeout|Interval)\b/.test(readFileSync(path.join(suites, file), 'utf8')));
  expect(found.map((file) => file.split(path.sep).join('/')).toSorted()).toEqual(Object.keys(withTimers));
});
