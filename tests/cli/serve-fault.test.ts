import { request } from 'node:http';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checksOf } from '../../cli/checks.ts';
import { startFaultyEngine } from '../../cli/faulty/faulty-engine.ts';
import { type ServedFault, servedFault } from '../../cli/faulty/served-fault.ts';
import { runOptions } from '../../cli/run-options.ts';
import { exampleOf } from '../../harness/runner/example.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { allRules, type RuleId, rulebook } from '../../specs/catalogue.ts';
import type { Kind, Rule } from '../../specs/rule.ts';
import { type ApiVersion, documentedVersions, holdsIn } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';
import { start } from './command.ts';

/** On a machine that may be busy. */
const timeout = 300_000;
const checks = await checksOf(allRules);

let count = 0;

/** A served engine with these faults, in this process, until the test ends. */
async function faultyEngine(...faults: readonly ServedFault[]): Promise<string> {
  count++;
  const socketPath = path.join(workplace, `faulty-${count}.sock`);
  const engine = await startFaultyEngine({ listen: { socketPath } }, faults);
  onTestFinished(() => engine.close());
  return socketPath;
}

/** What the rule's own check says of an engine, which it knows nothing of. */
async function judged(id: string, socketPath: string, boundMs = 60_000) {
  const check = checks.get(id);
  if (!check) throw new Error(`no check of ${id}`);
  const api = documentedVersions.findLast((version) => holdsIn(check.rule, version)) ?? '1.23';
  const target = { address: parseAddress(`unix://${socketPath}`), embedded: false, concurrency: 1 };
  const selection = { apis: [api], rules: [check.rule], whole: false };
  const flags = { dialect: 'auto', timeout: boundMs, seed: 1 };
  // Without faults, as the engine has one of its own.
  const { kept } = await exampleOf({ ...check, faults: [] }, api, runOptions(target, selection, flags, []), 120_000);
  return kept.result;
}

function get(socketPath: string, at: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: at }, async (answer) => {
      let body = '';
      for await (const piece of answer.setEncoding('utf8')) body += piece;
      resolve({ status: answer.statusCode ?? 0, body });
    })
      .once('error', reject)
      .end();
  });
}

/** The first rule of a kind whose fault can be served. */
async function ruleOfKind(kind: Kind): Promise<Rule> {
  const isFit = (rule: Rule) => {
    const check = checks.get(rule.id);
    if (rule.kind !== kind || rule.level === 'observe' || rule.needs.length > 0 || !check || check.long) return false;
    if (check.faults[0]?.until !== undefined || rule.endpoint?.server === 'authorization') return false;
    return documentedVersions.some((version) => holdsIn(rule, version));
  };
  for (const rule of allRules.filter(isFit)) if (await isServed(rule.id)) return rule;
  throw new Error(`no rule of kind ${kind} can be broken`);
}

function isServed(asked: string): Promise<boolean> {
  return servedFault(asked).then(
    () => true,
    () => false,
  );
}

describe('the check of a rule fails on an engine that breaks it', () => {
  const kinds: readonly Kind[] = ['status', 'field', 'parameter', 'header', 'stream', 'state', 'event', 'format'];

  test.each(kinds)('of kind %s', { timeout }, async (kind) => {
    const rule = await ruleOfKind(kind);
    const fault = await servedFault(rule.id);
    const { verdict, reason } = await judged(rule.id, await faultyEngine(fault));
    expect({ rule: rule.id, fault: fault.fault.name, verdict, reason }).toMatchObject({ verdict: 'fail' });
  });
});

test('other rules are kept, those of hijacked streams among them', { timeout }, async () => {
  const socketPath = await faultyEngine(await servedFault('system.ping.body-OK'));
  const others = ['system.ping.answers-200', 'containers.stop.stopped-answers-304', 'containers.attach-ws.stdout'];
  const stream = allRules.find(({ id, kind }) => kind === 'stream' && id.startsWith('exec.start.'));
  for (const id of [...others, stream?.id ?? '']) {
    const { verdict, reason } = await judged(id, socketPath);
    expect({ id, verdict, reason }).toMatchObject({ verdict: 'pass' });
  }
});

test('a stream without an upgrade has input and output, with a fault and without', { timeout }, async () => {
  const ids = allRules.filter(({ id }) => id.endsWith('.stream.no-upgrade-answers-200'));
  expect(ids.length).toBeGreaterThan(1);
  const right = await faultyEngine(await servedFault('system.ping.body-OK'));
  for (const { id } of ids.filter((rule) => rule.level !== 'observe' && holdsIn(rule, '1.23'))) {
    expect({ id, ...(await judged(id, right)) }).toMatchObject({ id, verdict: 'pass' });
    if (!(await isServed(id))) continue;
    expect({ id, ...(await judged(id, await faultyEngine(await servedFault(id)), 10_000)) }).toMatchObject({
      id,
      verdict: 'fail',
    });
  }
});

test('several at once, each at its endpoint', { timeout }, async () => {
  const ids = ['system.ping.body-OK', 'containers.stop.stopped-answers-304'] as const;
  const socketPath = await faultyEngine(...(await Promise.all(ids.map(servedFault))));
  for (const id of ids) expect((await judged(id, socketPath)).verdict).toBe('fail');
  expect((await judged('containers.inspect.field.State.Running', socketPath)).verdict).toBe('pass');
});

test('a rule is broken only in the versions that have it', async () => {
  const id: RuleId = 'containers.list.field.State';
  const rule: Rule = rulebook[id];
  const without = documentedVersions.find((version) => !holdsIn(rule, version)) as ApiVersion;
  const broken: ServedFault = {
    rule,
    endpoint: 'GET /containers/json',
    fault: { name: 'answers 418', answer: (answer) => ({ ...answer, status: 418 }) },
  };
  const socketPath = await faultyEngine(broken);
  expect((await get(socketPath, `/v${without}/containers/json`)).status).toBe(200);
  expect((await get(socketPath, '/v1.23/containers/json?all=1')).status).toBe(418);
  expect((await get(socketPath, '/containers/json')).status).toBe(418);
  expect((await get(socketPath, '/v1.23/images/json')).status).toBe(200);
});

test.each([
  ['system.ping.body-KO', "did you mean 'system.ping.body-OK'?"],
  ['token.body.service', 'is a rule of the token server'],
  ['system.ping.body-OK#99', 'there is no fault system.ping.body-OK#99; the faults are: system.ping.body-OK#1 '],
  [allRules.find(({ unchecked }) => unchecked !== undefined)?.id ?? '', 'declares no fault'],
])('%s cannot be broken', async (asked, says) => {
  await expect(servedFault(asked)).rejects.toThrow(says);
});

test('RULE#2 is the second fault of the check', async () => {
  const { fault } = await servedFault('images.build.nocache-spellings#2');
  expect(fault).toBeDefined();
  expect(fault).toBe(checks.get('images.build.nocache-spellings')?.faults[1]);
});

test('serve says what it breaks', { timeout }, async () => {
  const socketPath = path.join(workplace, 'served.sock');
  const args = ['serve', '--listen', `unix://${socketPath}`, '--fault', 'system.ping.body-OK'];
  const { child, ended } = start(args);
  await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()));
  const answer = await get(socketPath, '/v1.23/_ping');
  expect(answer.body).not.toBe('OK');
  child.kill('SIGINT');
  const { status, stdout } = await ended;
  expect(stdout).toMatch(/^the reference engine listens on .*\n {2}breaks system\.ping\.body-OK on purpose: \S.*\n$/);
  expect(status).toBe(0);
});
