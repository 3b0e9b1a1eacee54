import { readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { proxyTo } from '../harness/proxy.ts';
import { httpServer } from '../harness/servers.ts';
import { workplace } from '../workplace.ts';
import { engineConformance, start } from './command.ts';
import { type ReferenceTarget, referenceTarget } from './reference-target.ts';
import { hasReport, pairsBelow, pairsOf, type Report, validReport } from './report.ts';

const said = 'interrupted: cleaning up; press Ctrl-C again to end at once\n';
/** Fast, slow, changing and unchecked rules. */
const chosen = ['containers.stop.', 'containers.wait.', 'system.ping.', 'images.tag.bad-parameter-'];
const only = chosen.flatMap((prefix) => ['--only', `${prefix}*`]);

let count = 0;

/** Arguments of a run with a report of its own, and journals of its own. */
function newRun(address: string, { rules = only, timeout = '20' } = {}) {
  count++;
  const directory = `interrupted-${count}`;
  const state = { XDG_STATE_HOME: path.join(workplace, directory, 'state') };
  const args = ['run', '--target', address, ...rules, '--report', directory, '--timeout', timeout, '--quiet'];
  const journals = () => {
    try {
      return readdirSync(path.join(state.XDG_STATE_HOME, 'engine-conformance', 'journals'));
    } catch {
      return []; // None was ever begun.
    }
  };
  return { directory, state, args, journals };
}

/** A gate in a proxy: told when a request waits in front of it. */
function gate(matches: (request: string) => boolean) {
  let open = () => {};
  let arrived = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const before = async ({ request }: { readonly request: IncomingMessage }) => {
    if (!matches(`${request.method} ${request.url}`)) return false;
    arrived();
    await opened;
    return false;
  };
  return { before, reached, open };
}

let engine: ReferenceTarget;
let before: Awaited<ReturnType<ReferenceTarget['inventory']>>;

beforeEach(async () => {
  engine = await referenceTarget();
  before = await engine.inventory();
});

/** Sends Ctrl-C once the moment has come, and gives what the run left behind. */
async function interrupted(address: string, moment: Promise<void>, afterwards = async () => {}) {
  const run = newRun(address);
  const { child, ended } = start(run.args, run.state);
  await moment;
  const asked = Date.now();
  child.kill('SIGINT');
  await afterwards();
  const { status, stderr } = await ended;
  return { status, stderr, tookMs: Date.now() - asked, report: validReport(run.directory), journals: run.journals() };
}

async function expectInOrder(ended: Awaited<ReturnType<typeof interrupted>>): Promise<Report> {
  const { status, stderr, report, journals } = ended;
  expect(stderr).toBe(said);
  expect(status).toBe(130);
  expect(report).toMatchObject({ end: 'interrupted', endReason: 'interrupted by the user', left: [] });
  expect(pairsOf(report)).toEqual(pairsBelow(...chosen));
  expect(report.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  expect(journals).toEqual([]);
  expect(await engine.inventory()).toEqual(before);
  return report;
}

describe('Ctrl-C', () => {
  test('before the target has said anything', async () => {
    let asked = () => {};
    const reached = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const silent = await httpServer(() => asked());
    const ended = await interrupted(silent.text, reached);
    expect(ended.tookMs).toBeLessThan(5_000);
    const report = await expectInOrder(ended);
    expect(new Set(report.results.map(({ verdict }) => verdict))).toEqual(new Set(['blocked', 'untested']));
  });

  test('before the first check, while the probe image is being loaded', async () => {
    const { before: hold, reached, open } = gate((request) => request.includes('/images/load'));
    const slow = await proxyTo(engine.address, { before: hold });
    const ended = await interrupted(slow.text, reached, async () => {
      await delay(300);
      open();
    });
    const report = await expectInOrder(ended);
    expect(new Set(report.results.map(({ verdict }) => verdict))).toEqual(new Set(['blocked', 'untested']));
  });

  test('while the suites are being read', async () => {
    // The last container that is tried is removed; then the worker is started.
    const tried = gate((request) => /^DELETE .*-try/.test(request));
    const slow = await proxyTo(engine.address, { before: tried.before });
    const moment = tried.reached.then(async () => {
      tried.open();
      await delay(250);
    });
    const report = await expectInOrder(await interrupted(slow.text, moment));
    expect(report.results.some(({ verdict }) => verdict === 'blocked')).toBe(true);
  });

  test('while a container is being made: it is removed too', async () => {
    const create = gate((request) => /containers\/create\?name=ec-(?!.*-try)/.test(request));
    const slow = await proxyTo(engine.address, { before: create.before });
    const ended = await interrupted(slow.text, create.reached, async () => {
      await delay(700);
      create.open();
    });
    await expectInOrder(ended);
    await delay(300);
    expect(await engine.inventory()).toEqual(before);
  });

  test('during a long check: it ends soon, and what ran is blocked', async () => {
    const wait = gate((request) => request.endsWith('/wait') && !request.includes('-try'));
    const slow = await proxyTo(engine.address, { before: wait.before });
    const ended = await interrupted(
      slow.text,
      wait.reached.then(() => delay(300)),
    );
    expect(ended.tookMs).toBeLessThan(8_000);
    const report = await expectInOrder(ended);
    const reasons = report.results.filter(({ verdict }) => verdict === 'blocked').map(({ reason }) => reason);
    expect(reasons).toContain('the run was ended during this check');
  });

  test('a second time: it ends at once, and `clean` finishes from the journal', async () => {
    const create = gate((request) => /containers\/create\?name=ec-(?!.*-try)/.test(request));
    const slow = await proxyTo(engine.address, { before: create.before });
    const run = newRun(slow.text);
    const { child, ended } = start(run.args, run.state);
    await create.reached;
    child.kill('SIGINT');
    await delay(300);
    child.kill('SIGINT');
    // Although create still waits for its answer.
    expect((await ended).status).toBe(130);
    expect(hasReport(run.directory)).toBe(false);
    expect(run.journals()).toHaveLength(1);
    create.open();
    expect((await engineConformance(['clean', '--target', slow.text], run.state)).status).toBe(0);
    expect(run.journals()).toEqual([]);
    expect(await engine.inventory()).toEqual(before);
  });
});

describe('kill -9', () => {
  test('leaves a journal from which `clean` finishes; a run that goes on is left alone', async () => {
    const wait = gate((request) => /\/wait$/.test(request) && !request.includes('-try'));
    const slow = await proxyTo(engine.address, { before: wait.before });
    const run = newRun(slow.text);
    const { child, ended } = start(run.args, run.state);
    await wait.reached;
    const alive = await engineConformance(['clean', '--target', slow.text], run.state);
    expect(alive.stdout).toMatch(new RegExp(`^run \\w+: left alone, it is still running in process ${child.pid}\\n$`));
    expect((await engine.inventory()).containers.length).toBeGreaterThan(0);

    child.kill('SIGKILL');
    expect((await ended).status).toBeNull();
    expect(run.journals()).toHaveLength(1);
    expect((await engine.inventory()).containers.length).toBeGreaterThan(0);
    const clean = await engineConformance(['clean', '--target', slow.text], run.state);
    expect(clean.stdout).toMatch(/^run \w+: removed .*container ec-/);
    expect(clean.status).toBe(0);
    expect(run.journals()).toEqual([]);
    expect(await engine.inventory()).toEqual(before);
  });
});

test('two runs at once give the verdicts that each gives alone', async () => {
  const rules = ['containers.list.*', 'containers.create.*', 'system.info.*', 'exec.inspect.*'];
  const judged = async () => {
    const run = newRun(engine.address.text, { rules: rules.flatMap((pattern) => ['--only', pattern]) });
    const { status, stderr } = await engineConformance([...run.args, '--seed', '1', '--api', '1.23'], run.state);
    const { results } = validReport(run.directory);
    const notKept = results.filter(({ verdict }) => ['fail', 'blocked', 'error'].includes(verdict));
    expect(notKept.map(({ rule, api, verdict, reason }) => `${rule} ${api} ${verdict}: ${reason}`)).toEqual([]);
    return { status, stderr, verdicts: results.map(({ rule, api, verdict }) => `${rule} ${api} ${verdict}`) };
  };
  const alone = await judged();
  const [one, other] = await Promise.all([judged(), judged()]);
  expect(one).toEqual(alone);
  expect(other).toEqual(alone);
  expect(await engine.inventory()).toEqual(before);
}, 60_000);
