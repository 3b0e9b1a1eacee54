import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Result, RunEvent, RunHandler, RunStarted } from '../../harness/events.ts';
import type { RunOptions } from '../../harness/runner/options.ts';
import { prove } from '../../harness/runner/prove.ts';
import { run } from '../../harness/runner/run.ts';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import { withNames } from '../../harness/verdict/roles.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { documentedVersions } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';
import { proxyTo } from './proxy.ts';
import { optionsFor } from './run-options.ts';
import { newSocketPath, transportTo } from './servers.ts';

const ofSmallSuite = [
  'system.ping.answers-200',
  'containers.start.answers-204',
  'containers.stop.answers-204',
  'containers.inspect.id-or-name',
  'containers.top.unknown-answers-404',
  'containers.kill.answers-204',
  'containers.remove.paused',
];
const endless = 'containers.wait.blocks-until-stopped';
const withoutCheck = 'containers.pause.answers-204';

/** The reference engine, with a way to see what is on it. */
async function engine() {
  const socketPath = newSocketPath();
  const started = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => started.close());
  const address = parseAddress(`unix://${socketPath}`);
  const transport = transportTo(address);
  const send = async (method: string, url: string, json?: object) => {
    const headers = { 'content-type': 'application/json' };
    const body = json && { body: Buffer.from(JSON.stringify(json)) };
    const request = { method, path: `/v1.23${url}`, headers, ...body };
    const answer = await transport.exchange(request, { wholeMs: 5_000 });
    return answer.body.length > 0 ? JSON.parse(answer.body.toString()) : undefined;
  };
  const inventory = async () => ({
    containers: await send('GET', '/containers/json?all=1'),
    images: await send('GET', '/images/json'),
  });
  return { address, send, inventory };
}

/** Runs to the end and gives the events, and the results by rule and version. */
async function judged(address: Address, rules: readonly string[], more: Partial<RunOptions> = {}) {
  const events: RunEvent[] = [];
  const options = optionsFor(address, rules, more);
  const follow: RunHandler = (event) => void events.push(event);
  const ended = await run({ ...options, handlers: [follow, ...options.handlers] });
  const results = events.flatMap((event) => (event.type === 'verdict' ? [event.result] : []));
  const of = (rule: string, api = '1.20') => results.find((result) => result.rule === rule && result.api === api);
  return { events, results, of, ended, journals: journalsIn(options) };
}

function journalsIn({ journalDirectory }: RunOptions): string[] {
  return existsSync(journalDirectory) ? readdirSync(journalDirectory) : [];
}

function pairs(results: readonly Result[]): string[] {
  return results.map(({ rule, api }) => `${rule} ${api}`).toSorted();
}

function allPairs(rules: readonly string[]): string[] {
  return rules.flatMap((rule) => documentedVersions.map((api) => `${rule} ${api}`)).toSorted();
}

describe('a run', () => {
  test('tells its start, a verdict for every rule and version, and its end, and leaves nothing behind', async () => {
    const { address, inventory } = await engine();
    const before = await inventory();
    const temporary = mkdtempSync(path.join(workplace, 'temporary-'));
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const rules = [...ofSmallSuite, withoutCheck];
    const { events, results, of, ended, journals } = await judged(address, rules);

    expect(events[0]).toMatchObject({ type: 'run-started', total: 3 * rules.length, apis: documentedVersions });
    expect(events.slice(1, -1).every(({ type }) => type === 'verdict')).toBe(true);
    expect(events.at(-1)).toBe(ended);
    expect(ended).toMatchObject({ end: 'complete', endReason: '' });
    expect(pairs(results)).toEqual(allPairs(rules));

    expect(of('system.ping.answers-200', '1.23')).toMatchObject({ verdict: 'pass', assertions: 1 });
    expect(of('containers.start.answers-204')).toMatchObject({ verdict: 'fail', expected: 'status 299' });
    expect(of('containers.stop.answers-204')).toMatchObject({ verdict: 'pass' });
    expect(of('containers.inspect.id-or-name', '1.21')).toMatchObject({ verdict: 'pass' });
    expect(of('containers.top.unknown-answers-404')).toMatchObject({
      verdict: 'blocked',
      reason: expect.stringContaining('200 was needed'),
    });
    expect(of('containers.kill.answers-204')).toMatchObject({
      verdict: 'error',
      reason: expect.stringContaining('a mistake of the kit'),
    });
    expect(of('containers.remove.paused')).toMatchObject({ verdict: 'observed', reason: 'answers something' });
    expect(of(withoutCheck)).toMatchObject({ verdict: 'untested', reason: 'no check decides this rule' });

    expect(await inventory()).toEqual(before);
    expect(journals).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test.each([
    ['cannot load what runs the checks', "throw new Error('a broken runner');", 'a broken runner'],
    [
      'cannot load the suites of the rules',
      `import { runChecks } from '${new URL('../../dist/harness/runner/run-checks.js', import.meta.url).href}';
      await runChecks({ load: async () => { throw new Error('a broken suite'); } });`,
      'Error: a broken suite',
    ],
    ['ends by itself', 'process.exit(0);', 'the worker thread ended by itself'],
    ['fails while it waits for the plan', "setTimeout(() => { throw new Error('a mistake'); });", 'a mistake'],
    [
      'tells of a test that is not of the plan',
      `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ type }) => {
        if (type !== 'plan') return;
        parentPort.postMessage({ type: 'finished', test: { rule: 'a.rule', api: '1.20', begun: true, problem: '' } });
        parentPort.close();
      });`,
      'an unexpected test ended: a.rule in 1.20',
    ],
  ])('whose worker %s says so, and blocks the rules', async (_, code, reason) => {
    const { address } = await engine();
    const entry = path.join(mkdtempSync(path.join(workplace, 'entry-')), 'entry.mjs');
    writeFileSync(entry, code);
    const { ended, of, journals } = await judged(address, ['system.ping.answers-200'], { entry });
    expect(ended).toMatchObject({ end: 'failed', endReason: expect.stringContaining(reason) });
    expect(of('system.ping.answers-200')).toMatchObject({
      verdict: 'blocked',
      reason: expect.stringContaining(`the run ended before this check: ${reason}`),
    });
    expect(journals).toEqual([]);
  });

  test('keeps the exchanges of its evidence, to be read while it goes on and at its end', async () => {
    const { address } = await engine();
    let started: RunStarted | undefined;
    const early: unknown[] = [];
    const handler: RunHandler = async (event) => {
      if (event.type === 'run-started') started = event;
      if (event.type === 'verdict') early.push(await started?.exchange?.(event.result.evidence.at(-1) ?? ''));
    };
    const late: string[] = [];
    const handlers: RunHandler[] = [
      handler,
      async (event) => {
        if (event.type === 'run-ended') for await (const { id } of event.exchanges()) late.push(id);
      },
    ];
    const { results } = await judged(address, ['system.ping.answers-200'], { handlers });
    expect(early).toHaveLength(3);
    for (const exchange of early) {
      expect(exchange).toMatchObject({ answer: { status: 200 }, madeFor: 'system.ping.answers-200' });
    }
    expect(late).toEqual(expect.arrayContaining(results.flatMap(({ evidence }) => evidence)));
  });

  test('skips the versions that the target does not serve', async () => {
    const { address } = await engine();
    const partly = await proxyTo(address, {
      before: ({ request, answer }) => {
        const refused = request.url?.startsWith('/v1.23') ?? false;
        if (refused) answer.writeHead(400).end('client is newer than server');
        return refused;
      },
    });
    const { of, results } = await judged(partly, ['system.ping.answers-200', 'networks.list.answers-200']);
    expect(results).toHaveLength(5);
    expect(of('system.ping.answers-200', '1.21')?.verdict).toBe('pass');
    expect(of('system.ping.answers-200', '1.23')).toMatchObject({
      verdict: 'skip',
      reason: 'the target does not serve API version 1.23',
    });
    expect(of('networks.list.answers-200', '1.21')?.verdict).toBe('untested');
    expect(of('networks.list.answers-200', '1.23')?.verdict).toBe('skip');
  });

  test('skips what needs containers where the probe image cannot be had', async () => {
    const { address } = await engine();
    const poor = await proxyTo(address, {
      before: ({ request, answer }) => {
        const refused = request.url?.endsWith('/images/load') ?? false;
        if (refused) answer.destroy();
        return refused;
      },
    });
    const { of, ended } = await judged(poor, ['system.ping.answers-200', 'containers.stop.answers-204']);
    expect(ended.end).toBe('complete');
    expect(of('system.ping.answers-200')?.verdict).toBe('pass');
    expect(of('containers.stop.answers-204')).toMatchObject({
      verdict: 'skip',
      reason: expect.stringContaining('the probe image could not be loaded'),
    });
  });

  test('whose report fails has cleaned up all the same', async () => {
    const { address, inventory } = await engine();
    const before = await inventory();
    const handler: RunHandler = (event) => {
      if (event.type === 'verdict') throw new Error('the disk is full');
    };
    const failing = judged(address, ofSmallSuite, { handlers: [handler] });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await inventory()).toEqual(before);
  });
});

describe('a run that ends early', () => {
  test('by the user: what ran is blocked, what has no check is untested, nothing is left', async () => {
    const { address, inventory } = await engine();
    const before = await inventory();
    const controller = new AbortController();
    const running = judged(address, [endless, withoutCheck, 'system.ping.answers-200'], { signal: controller.signal });
    const isRunning = ({ Status, Names }: { Status: string; Names: string[] }) =>
      /^Up/.test(Status) && !Names.some((name) => name.includes('-try'));
    await expect.poll(async () => (await inventory()).containers.some(isRunning), { timeout: 15_000 }).toBe(true);
    await delay(200);
    const asked = Date.now();
    controller.abort();
    const { of, results, ended, journals } = await running;
    expect(Date.now() - asked).toBeLessThan(10_000);
    expect(ended).toMatchObject({ end: 'interrupted', endReason: 'interrupted by the user' });
    expect(pairs(results)).toEqual(allPairs([endless, withoutCheck, 'system.ping.answers-200']));
    expect(of(endless, '1.21')).toMatchObject({ verdict: 'blocked', reason: 'the run was ended during this check' });
    expect(of(endless)).toMatchObject({ verdict: 'skip', reason: 'not in 1.20' });
    expect(of(withoutCheck)?.verdict).toBe('untested');
    expect(await inventory()).toEqual(before);
    expect(journals).toEqual([]);
  });

  test('by the user while a container is being made: it is removed too', async () => {
    const { address, inventory } = await engine();
    const before = await inventory();
    const controller = new AbortController();
    let creates = 0;
    const slow = await proxyTo(address, {
      before: async ({ request }) => {
        if (!request.url?.includes('/containers/create?name=ec-') || request.url.includes('-try')) return false;
        creates++;
        controller.abort();
        await delay(700);
        return false;
      },
    });
    const { ended, journals } = await judged(slow, [endless], { signal: controller.signal });
    expect(creates).toBeGreaterThan(0);
    expect(ended.end).toBe('interrupted');
    await delay(500);
    expect(await inventory()).toEqual(before);
    expect(journals).toEqual([]);
  });

  test('before it was begun: every rule has a verdict', async () => {
    const { address } = await engine();
    const unchecked = 'containers.top.not-unix';
    const { results, of } = await judged(address, [unchecked, 'system.ping.answers-200'], {
      signal: AbortSignal.abort(),
    });
    expect(pairs(results)).toEqual(allPairs([unchecked, 'system.ping.answers-200']));
    expect(of(unchecked)?.verdict).toBe('untested');
    expect(of('system.ping.answers-200')?.verdict).toBe('blocked');
  });

  test('as the target dies: told once, the rest blocked, in seconds, the journal kept', async () => {
    const { address } = await engine();
    let gone = false;
    const dying = await proxyTo(address, {
      before: ({ request, answer }) => {
        gone ||= request.url?.includes('/stop') ?? false;
        if (gone) answer.destroy();
        return gone;
      },
    });
    const started = Date.now();
    const rules = [...ofSmallSuite, withoutCheck];
    const { events, results, ended, journals } = await judged(dying, rules, { concurrency: 1 });
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(ended).toMatchObject({ end: 'lost', endReason: expect.stringContaining('the connection ended') });
    expect(pairs(results)).toEqual(allPairs(rules));
    const lost = events.filter(({ type }) => type === 'target-lost');
    expect(lost).toMatchObject([{ after: 'containers.stop.answers-204' }]);
    const after = results.filter(({ rule, api }) => rule !== withoutCheck && api === '1.23');
    expect(new Set(after.map(({ verdict }) => verdict))).toEqual(new Set(['blocked']));
    for (const { reason } of after) expect(reason).toMatch(/the target is gone/);
    expect(events.find(({ type }) => type === 'clean-up')).toMatchObject({
      left: [expect.stringContaining('the target did not answer')],
    });
    expect(journals).toHaveLength(1);
  });
});

describe('a daemon that answers the identifier of what was there before', () => {
  test('gets nothing of it changed; the rules are blocked', async () => {
    const { address, send, inventory } = await engine();
    const image = 'ec-of-others:1';
    await send('POST', '/images/create?fromSrc=-&repo=ec-of-others&tag=1').catch(() => undefined);
    const { images } = await inventory();
    const [foreign] =
      images.length > 0 ? [await send('POST', '/containers/create?name=web', { Image: image, Cmd: ['x'] })] : [];
    const id: string = foreign?.Id ?? 'f'.repeat(64);
    const seen: string[] = [];
    const odd = await proxyTo(address, {
      before: ({ request }) => {
        if (request.method !== 'GET' && request.url?.includes(id)) seen.push(`${request.method} ${request.url}`);
        return false;
      },
      body: (request, body) => {
        if (request.url?.includes('/containers/create')) return body.replace(/[0-9a-f]{64}/, id);
        const item = { Id: id, Names: ['/web'], Labels: {} };
        const lists = request.url?.endsWith('/containers/json?all=1');
        return lists && !foreign ? JSON.stringify([item, ...JSON.parse(body)]) : body;
      },
    });
    const { of } = await judged(odd, ['containers.stop.answers-204', 'containers.start.answers-204']);
    expect(seen).toEqual([]);
    for (const rule of ['containers.stop.answers-204', 'containers.start.answers-204']) {
      const { verdict, reason = '', names } = of(rule) ?? {};
      expect({ verdict, reason: withNames(reason, names) }).toMatchObject({
        verdict: 'blocked',
        reason: expect.stringContaining(`container ${id} was there before the run`),
      });
    }
  });
});

test('prove: a check has to pass as it is and fail under each fault', async () => {
  const { address, inventory } = await engine();
  const before = await inventory();
  const proof = await prove(optionsFor(address, [...ofSmallSuite, withoutCheck]));
  expect(proof.proven.toSorted()).toEqual(['containers.stop.answers-204', 'system.ping.answers-200']);
  const reasons = new Map(proof.unproven.map(({ rule, reasons: why }) => [rule, why.join('; ')]));
  expect(reasons.get('containers.start.answers-204')).toContain('1.20: fail without a fault (expected status 299');
  expect(reasons.get('containers.inspect.id-or-name')).toBe('the check has no fault');
  expect(reasons.get(withoutCheck)).toBe('no check decides this rule');
  expect(proof.trials.filter(({ rule }) => rule === 'system.ping.answers-200')).toHaveLength(3);
  expect(await inventory()).toEqual(before);
});
