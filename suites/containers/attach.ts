import { check } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, setsHeader } from '../../harness/faults/answers.ts';
import { ignoresQuery, knowsOnly, knowsOnlyIdentifiers, takesQueryAs } from '../../harness/faults/requests.ts';
import { losesInput } from '../../harness/faults/streams.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { checkStream } from '../streams/framing.ts';

const [yes, no] = [
  ['1', 'True', 'true'],
  ['0', 'False', 'false'],
] as const;

// Attached before it starts, so that nothing of what the process writes is missed.
checkStream('containers.attach', async (engine, { run, tty }, upgrade) => {
  const container = await makeContainer(engine, { run, config: { Tty: tty ?? false } });
  const attach = await container.attach({ stream: true, stdout: true, stderr: true }, { upgrade });
  await given(container.start(), 204);
  return attach;
});

/** A running container that has written to both outputs, and does so again when it gets SIGUSR1. */
async function makeWriter(engine: Engine): Promise<Container> {
  const before = ['err', 'err before\\n', 'out', 'out before\\n'];
  const after = ['out', 'out after\\n', 'err', 'err after\\n', 'out', 'out last\\n', 'forever'];
  const run = ['catch', ...before, 'wait-signal', ...after];
  const container = await makeContainer(engine, { run, state: 'running' });
  await container.hasWritten('out before');
  return container;
}

/** Attaches with a stream, lets the process write again, and gives what came until `last`. */
async function streamedUntil(engine: Engine, query: Query, last: string): Promise<[LiveExchange, string]> {
  const container = await makeWriter(engine);
  const attach = await given(container.attach({ stream: true, ...query }), 101);
  await given(container.kill({ signal: 'SIGUSR1' }), 204);
  return [attach, (await attach.receivedText(last)).toString('latin1')];
}

/**
 * Attaches for the log only, and gives all that came. The container is killed in between, so that the stream ends in
 * any case: whether it ends by itself is judged by `stream-default-false`.
 * @param text what comes first when all is well
 */
async function logged(engine: Engine, query: Query, text: string): Promise<[LiveExchange, string]> {
  const container = await makeWriter(engine);
  const attach = await given(container.attach(query), 101);
  await attach.receivedUntil(text, (bytes) => bytes.includes(text) || attach.ended);
  await given(container.kill(), 204);
  return [attach, (await attach.rest()).toString('latin1')];
}

check('containers.attach.unknown-answers-404', { faults: [answersStatus(101, 404)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await control(container.attach({ stream: true, stdout: true }), 101);
  const missing = engine.name('container');
  expect(await new Container(engine, missing, missing).attach({ stream: true, stdout: true })).toHaveStatus(404);
});

check('containers.attach.paused-answers-409', { faults: [answersStatus(101, 409)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await control(container.attach({ stream: true, stdout: true }), 101);
  await given(container.pause(), 204);
  expect(await container.attach({ stream: true, stdout: true })).toHaveStatus(409);
});

check('containers.attach.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async ({ engine }) => {
  const { id, name } = await makeContainer(engine, { state: 'running' });
  for (const form of [id, name]) {
    expect(await new Container(engine, form, name).attach({ stream: true, stdout: true })).toHaveStatus(101);
  }
});

for (const [stream, other, text, otherText] of [
  ['stdout', 'stderr', 'out before\n', 'err before\n'],
  ['stderr', 'stdout', 'err before\n', 'out before\n'],
] as const) {
  check(
    `containers.attach.logs-${stream}`,
    { faults: [ignoresQuery('logs'), ignoresQuery(stream)] },
    async ({ engine }) => {
      const [attach, bytes] = await logged(engine, { logs: true, [stream]: true }, text);
      expectValue('what came of the log', bytes, [attach]).toContain(text);
    },
  );

  check(`containers.attach.${stream}-default-false`, { faults: [takesQueryAs(stream, '1')] }, async ({ engine }) => {
    const [attach, bytes] = await logged(engine, { logs: true, [other]: true }, otherText);
    expectValue('what came of the log', bytes, [attach]).toLack(text);
  });

  check(
    `containers.attach.${stream}-spellings`,
    { faults: [knowsOnly(stream, '1'), takesQueryAs(stream, '1')] },
    async ({ engine }) => {
      for (const spelling of yes) {
        const [attach, bytes] = await logged(engine, { logs: true, [stream]: spelling, [other]: true }, text);
        expectValue(`what came of the log with ${stream}=${spelling}`, bytes, [attach]).toContain(text);
      }
      for (const spelling of no) {
        const [attach, bytes] = await logged(engine, { logs: true, [stream]: spelling, [other]: true }, otherText);
        expectValue(`what came of the log with ${stream}=${spelling}`, bytes, [attach]).toLack(text);
      }
    },
  );
}

check('containers.attach.stream-stdout', { faults: [ignoresQuery('stdout')] }, async ({ engine }) => {
  const [attach, bytes] = await streamedUntil(engine, { stdout: true }, 'out last');
  expectValue('what came on the stream', bytes, [attach]).toContain('out after\n');
});

check('containers.attach.stream-stderr', { faults: [ignoresQuery('stderr')] }, async ({ engine }) => {
  const [attach, bytes] = await streamedUntil(engine, { stderr: true }, 'err after');
  expectValue('what came on the stream', bytes, [attach]).toContain('err after\n');
});

check('containers.attach.logs-default-false', { faults: [takesQueryAs('logs', '1')] }, async ({ engine }) => {
  const [attach, bytes] = await streamedUntil(engine, { stdout: true }, 'out last');
  expectValue('what came on the stream', bytes, [attach]).toLack('out before\n');
});

check(
  'containers.attach.logs-then-stream',
  { faults: [ignoresQuery('logs'), ignoresQuery('stream')] },
  async ({ engine }) => {
    const [attach, bytes] = await streamedUntil(engine, { logs: true, stdout: true }, 'out last');
    const places = ['out before\n', 'out after\n'].map((text) => bytes.indexOf(text));
    const [before = -1, after = -1] = places;
    expectValue('where what was written before and after stands', places, [attach]).toSatisfy(
      'one after the other',
      () => {
        return before >= 0 && after > before;
      },
    );
  },
);

check(
  'containers.attach.logs-spellings',
  { faults: [knowsOnly('logs', '1'), takesQueryAs('logs', '1')] },
  async ({ engine }) => {
    for (const logs of yes) {
      const [attach, bytes] = await logged(engine, { logs, stdout: true }, 'out before\n');
      expectValue(`what came with logs=${logs}`, bytes, [attach]).toContain('out before\n');
    }
    for (const logs of no) {
      const [attach, bytes] = await streamedUntil(engine, { logs, stdout: true }, 'out last');
      expectValue(`what came with logs=${logs}`, bytes, [attach]).toLack('out before\n');
    }
  },
);

/** Without a stream the answer ends by itself while the container runs on. */
async function expectEnd(engine: Engine, query: Query): Promise<void> {
  const attach = await given((await makeWriter(engine)).attach({ logs: true, stdout: true, ...query }), 101);
  const bytes = await attach.rest();
  expectValue('what came until the stream ended', bytes.toString('latin1'), [attach]).toLack('out after\n');
}

check('containers.attach.stream-default-false', { faults: [takesQueryAs('stream', '1')] }, ({ engine }) =>
  expectEnd(engine, {}),
);

check(
  'containers.attach.stream-spellings',
  { faults: [knowsOnly('stream', '1'), takesQueryAs('stream', '1')] },
  async ({ engine }) => {
    for (const stream of no) await expectEnd(engine, { stream });
    for (const stream of yes) {
      const [attach, bytes] = await streamedUntil(engine, { stream, logs: true, stdout: true }, 'out last');
      expectValue(`what came with stream=${stream}`, bytes, [attach]).toContain('out after\n');
    }
  },
);

/** A running container that writes back each of two lines. */
async function makeEcho(engine: Engine): Promise<Container> {
  const run = ['out', 'ready\\n', 'echo-line', 'echo-line', 'forever'];
  const container = await makeContainer(engine, { run, state: 'running', config: { OpenStdin: true } });
  await container.hasWritten('ready');
  return container;
}

async function expectEcho(engine: Engine, stdin: string): Promise<void> {
  const container = await makeEcho(engine);
  const attach = await given(container.attach({ stream: true, stdin, stdout: true }), 101);
  attach.write('a line\n');
  const bytes = await attach.receivedText('a line');
  expectValue('what the process wrote back', bytes.toString('latin1'), [attach]).toContain('a line\n');
}

/** What is sent without stdin does not come to the process; what another client sends with stdin does. */
async function expectNoEcho(engine: Engine, query: Query): Promise<void> {
  const container = await makeEcho(engine);
  const deaf = await given(container.attach({ stream: true, stdout: true, ...query }), 101);
  deaf.write('unheard\n');
  // Once the daemon has answered another request, it has had time to take what was sent.
  await given(container.inspect(), 200);
  const attach = await given(container.attach({ stream: true, stdin: true, stdout: true }), 101);
  attach.write('heard\n');
  await attach.receivedText('heard\n');
  const log = await given(container.logs({ stdout: true }), 200);
  expectValue('what the process wrote back', log.text, [deaf, attach, log]).toLack('unheard\n');
}

check('containers.attach.stream-stdin', { faults: [losesInput()] }, async ({ engine }) => {
  await expectEcho(engine, '1');
});

check('containers.attach.stdin-default-false', { faults: [takesQueryAs('stdin', '1')] }, async ({ engine }) => {
  await expectNoEcho(engine, {});
});

check(
  'containers.attach.stdin-spellings',
  { faults: [knowsOnly('stdin', '1'), takesQueryAs('stdin', '1')] },
  async ({ engine }) => {
    for (const stdin of yes) await expectEcho(engine, stdin);
    for (const stdin of no) await expectNoEcho(engine, { stdin });
  },
);

check(
  'containers.attach.media-type-200',
  { faults: [setsHeader('Content-Type', 'text/plain')] },
  async ({ engine }) => {
    const container = await makeContainer(engine, { state: 'running' });
    const attach = await given(container.attach({ stream: true, stdout: true }, { upgrade: false }), 200);
    expect(attach).toHaveMediaType('application/vnd.engine.raw-stream');
  },
);

/** Attaches to a terminal with keys that end the session. */
async function attachWithKeys(engine: Engine, detachKeys: string) {
  const run = ['raw', 'out', 'ready\\n', 'echo'];
  const container = await makeContainer(engine, { run, state: 'running', config: { Tty: true, OpenStdin: true } });
  await container.hasWritten('ready');
  const attach = await container.attach({ stream: true, stdin: true, stdout: true, detachKeys });
  return { container, attach };
}

async function expectDetach(engine: Engine, detachKeys: string, byte: number): Promise<void> {
  const { container, attach } = await attachWithKeys(engine, detachKeys);
  expect(attach).toHaveStatus(101);
  attach.write(Buffer.from([byte]));
  await attach.rest();
  expect(await given(container.inspect(), 200))
    .field('State.Running')
    .toBe(true);
}

const keyless = ignoresQuery('detachKeys');

check('containers.attach.detachKeys', { faults: [keyless] }, ({ engine }) => expectDetach(engine, 'ctrl-x', 0x18));

check('containers.attach.detachKeys-letter', { faults: [keyless] }, async ({ engine }) => {
  for (const letter of ['k', 'Z']) await expectDetach(engine, letter, letter.charCodeAt(0));
});

check('containers.attach.detachKeys-ctrl', { faults: [keyless, answersStatus(400, 101)] }, async ({ engine }) => {
  for (const [value, byte] of [
    ['a', 0x01],
    ['@', 0x00],
    ['^', 0x1e],
    ['[', 0x1b],
    ['_', 0x1f],
  ] as const) {
    await expectDetach(engine, `ctrl-${value}`, byte);
  }
  // Which byte a terminal sends for ctrl and a comma is not stated, so it only has to be taken.
  const { attach } = await attachWithKeys(engine, 'ctrl-,');
  expect(attach).toHaveStatus(101);
});

function observeAttach(id: RuleId, open: (engine: Engine) => Promise<LiveExchange>): void {
  check(id, { faults: [] }, async ({ engine }) => {
    const attach = await open(engine);
    observe(`answers ${attach.status}`, attach);
  });
}

observeAttach('containers.attach.not-running', async (engine) => {
  const container = await makeContainer(engine, { state: 'exited' });
  return container.attach({ stream: true, stdout: true });
});

observeAttach('containers.attach.no-streams', async (engine) => {
  const container = await makeContainer(engine, { state: 'running' });
  return container.attach({});
});

check('containers.attach.half-close', { faults: [] }, async ({ engine }) => {
  const config = { OpenStdin: true, StdinOnce: true, AttachStdin: true };
  const container = await makeContainer(engine, { run: ['out', 'ready\\n', 'count'], config });
  const attach = await given(container.attach({ stream: true, stdin: true, stdout: true }), 101);
  await given(container.start(), 204);
  await attach.receivedText('ready');
  attach.write('four');
  attach.endInput();
  const bytes = await attach.rest();
  observe(bytes.includes('4\n') ? 'the output goes on' : 'the output ends', attach);
});
