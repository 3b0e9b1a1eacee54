import { expect, test } from 'vitest';
import { probeImage } from '../../harness/probe/image.ts';
import type { Address } from '../../harness/target/address.ts';
import { transportTo } from '../harness/servers.ts';
import { engineConformance } from './command.ts';
import { referenceTarget } from './reference-target.ts';
import { validReport } from './report.ts';

/** Loads the probe's image under a name. */
async function load(address: Address, tag: string): Promise<void> {
  const { tar } = await probeImage({ architecture: 'amd64', tag, labels: {} });
  const headers = { 'content-type': 'application/x-tar' };
  const request = { method: 'POST', path: '/v1.23/images/load', headers, body: tar };
  const { status } = await transportTo(address).exchange(request, { wholeMs: 10_000 });
  expect(status).toBe(200);
}

test.each([
  ['ecprobe', 'ecprobe:latest', ['pass', 'pass']],
  ['ecprobe:1.0', 'ecprobe:1.0', ['skip', 'pass']],
  ['registry.test:5000/ecprobe', 'registry.test:5000/ecprobe:latest', ['pass', 'pass']],
])('containers are found by the name of the image that --image names: %s', async (image, tag, verdicts) => {
  const { address } = await referenceTarget();
  await load(address, tag);
  const forms = ['name', 'tag'].flatMap((form) => ['--only', `containers.list.filters.ancestor-${form}`]);
  const { status } = await engineConformance([
    ...['run', '--target', address.text, '--image', image, '--api', '1.23', ...forms, '--report', image],
  ]);
  expect(status).toBe(0);
  expect(validReport(image).results.map(({ verdict }) => verdict)).toEqual(verdicts);
});
