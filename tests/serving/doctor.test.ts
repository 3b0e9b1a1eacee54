import { expect, test } from 'vitest';
import { endpointTitle } from '../../specs/endpoint.ts';
import { engineConformance } from '../cli/command.ts';
import { type Refusal, refusals } from './door.ts';
import { doorBefore, wholeEngine } from './doors.ts';
import { endpointsOf, type Family, without } from './families.ts';

/** What `doctor` says of the reference engine behind a door that refuses some families. */
async function doctor(refused: readonly Family[], refusal: Refusal, api: string) {
  const { text } = await doorBefore(await wholeEngine(), without(refused), refusal);
  const { status, stdout, stderr } = await engineConformance(['doctor', '--target', text, '--api', api]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n');
}

test('doctor has nothing to say of what an engine serves that serves it all', async () => {
  const lines = await doctor([], refusals['a 501'], '1.23');
  expect(lines.filter((line) => /\bserved/i.test(line))).toEqual([]);
});

test('doctor names each endpoint that is not served, with its versions, and counts what that leaves out', async () => {
  const families = ['load', 'build', 'events', 'exec', 'volumes'] as const;
  const lines = await doctor(families, refusals['a 501'], '1.20,1.23');
  const told = lines.filter((line) => line.startsWith('NOT SERVED: '));
  const expected = endpointsOf(families).map((endpoint) => {
    const apis = endpoint.path.startsWith('/volumes') ? '1.23' : '1.20, 1.23';
    return `NOT SERVED: ${endpointTitle(endpoint)}: 501 not implemented (API ${apis})`;
  });
  expect(told.toSorted()).toEqual(expected.toSorted());
  const skips = lines.filter((line) => /^\d+ skip: .* is not served: /.test(line));
  expect(skips.map((line) => Number.parseInt(line, 10)).every((count) => count > 0)).toBe(true);
  for (const endpoint of endpointsOf(families)) {
    expect(skips.some((line) => line.includes(`skip: ${endpointTitle(endpoint)} is not served: 501`))).toBe(true);
  }
});
