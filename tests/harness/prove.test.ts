import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prove } from '../../harness/runner/prove.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { killMatrix } from '../../reports/kill-matrix/matrix.ts';
import { killMatrixPage } from '../../reports/kill-matrix/page.ts';
import { bundled } from '../bundle-suites.ts';
import { optionsFor } from './run-options.ts';
import { newSocketPath } from './servers.ts';

const rules = [
  'containers.start.unknown-answers-404',
  'containers.stop.unknown-answers-404',
  'system.ping.answers-200',
  'system.ping.text-plain',
];

test('a proof tells refusals without a control, and what a fault does to other rules', async () => {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  const entry = bundled('tests/harness/refusal-suite.ts');
  const proof = await prove(optionsFor(parseAddress(`unix://${socketPath}`), rules, { entry }), { others: true });

  expect(proof.unproven).toEqual([
    {
      rule: 'containers.stop.unknown-answers-404',
      reasons: ['1.23: pass where POST /containers/{id}/stop answers 404 to everything'],
    },
  ]);
  expect(proof.refusals.map(({ rule, status, verdict }) => `${rule} ${status} ${verdict}`).toSorted()).toEqual([
    'containers.start.unknown-answers-404 404 blocked',
    'containers.stop.unknown-answers-404 404 pass',
  ]);
  const ofPing = proof.others.filter(({ endpoint }) => endpoint === 'GET /_ping');
  expect(ofPing.map(({ fault, others, tried, reddens }) => ({ fault, others, tried, reddens }))).toEqual([
    { fault: 'answers 500', others: 1, tried: 1, reddens: ['system.ping.text-plain'] },
    { fault: 'drops the header Content-Type', others: 1, tried: 1, reddens: [] },
  ]);

  const matrix = killMatrix(proof, { name: 'engine-conformance', version: '0.0.0' });
  expect(matrix.rules).toHaveLength(rules.length);
  const page = killMatrixPage(matrix);
  expect(page).toContain('Proven: 3 of 4 rules (75 %), under 4 faults.');
  expect(page).toContain('Checks that pass there: `containers.stop.unknown-answers-404`.');
  expect(page).toContain('| GET /_ping | answers 500 | 1 | 1 of 1 | 1 |');
});

test('a rule whose check misses its fault once is tried again, and the proof says so', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'ec-shaky-'));
  vi.stubEnv('SHAKY_MARKER', path.join(directory, 'missed'));
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(async () => {
    await engine.close();
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  });
  const entry = bundled('tests/harness/shaky-suite.ts');
  const rule = 'system.ping.answers-200';
  const proof = await prove(optionsFor(parseAddress(`unix://${socketPath}`), [rule], { entry }));
  expect(proof.proven).toEqual([rule]);
  expect(proof.again).toEqual([
    { rule, reasons: [expect.stringMatching(/^1\.2[013]: pass under the fault 'answers 500'$/)] },
  ]);
});

test('what waits in vain under a fault lets others begin', async () => {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  const entry = bundled('tests/harness/vain-suite.ts');
  const three = ['system.ping.answers-200', 'system.version.answers-200', 'system.info.answers-200'];
  const address = parseAddress(`unix://${socketPath}`);
  const proof = await prove(optionsFor(address, three, { entry, concurrency: 2, apis: ['1.23'] }));
  expect(proof.unproven).toEqual([]);
  expect(proof.again).toEqual([]);
});
