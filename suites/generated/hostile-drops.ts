import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { createBody, makeContainer } from '../../harness/engine/containers.ts';
import { makeExec } from '../../harness/engine/exec.ts';
import { given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { tarBytes } from '../../harness/engine/tar-bytes.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import { buildMs, contextWith, fileOf, own, run, tarHeaders } from '../build/support/building.ts';
import { newName } from '../images/support/committed-images.ts';
import { judgeHealth, Tally, unwell } from './support/health.ts';

/** Drops the connection during a request, after a number of thousandths of it. */
const inRequest = fc.record({
  request: fc.constantFrom(
    'create' as const,
    'put' as const,
    'import' as const,
    'load' as const,
    'build' as const,
    'exec' as const,
  ),
  sent: fc.integer({ min: 1, max: 1_000 }),
});

/** Drops the connection during an answer, after a number of bytes; `sent` goes out on the stream first. */
const inAnswer = fc.record({
  answer: fc.constantFrom(
    'attach' as const,
    'attach without an upgrade' as const,
    'exec start' as const,
    'logs' as const,
    'events' as const,
    'stats' as const,
    'export' as const,
    'archive' as const,
    'build' as const,
    'wait' as const,
  ),
  received: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60_000 })),
  typed: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 })),
});

interface InRequest {
  readonly request: string;
  readonly sent: number;
}

interface InAnswer {
  readonly answer: string;
  readonly received: number;
  readonly typed: number;
}

/** How long to wait for bytes of an answer before the connection is dropped. */
const comesMs = 150;

check('generated.hostile.drops', { faults: unwell }, async (context) => {
  const tally = new Tally();
  const drops: fc.Arbitrary<(InRequest | InAnswer)[]> = fc.array(fc.oneof(inRequest, inAnswer), {
    minLength: 1,
    maxLength: 7,
    size: 'max',
  });
  await forAll(context, drops, { runs: 3 }, async (value, trial) => {
    const steps = ['out-fill', '200000', 'out', '\\n', 'echo', 'forever'];
    const config = { OpenStdin: true };
    const container = await makeContainer(trial.engine, { run: steps, state: 'running', config });
    for (const drop of value) {
      if ('request' in drop) await dropRequest(trial, container, drop);
      else await dropAnswer(trial, container, drop);
      tally.add('request' in drop ? 'lost a client that was sending' : 'lost a client that was reading');
    }
    await judgeHealth(trial);
    // What happens to a container whose clients leave is left open, but the daemon must still know it.
    await given(container.inspect(), 200);
  });
  tally.tell();
});

async function dropRequest(trial: Trial, container: Container, { request, sent }: InRequest): Promise<void> {
  const { engine } = trial;
  const { method, path, type, body } = await requestOf(trial, container, request);
  const head = [`${method} /v${engine.api}${path} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`];
  const whole = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`), body]);
  const bytes = whole.subarray(0, Math.ceil((whole.length * sent) / 1_000));
  trial.step(`sends ${bytes.length} of the ${whole.length} bytes of ${request}, and drops the connection`);
  const options = { method, path, after: 'drops', waitMs: 2_000 } as const;
  await settled(engine.raw(bytes, options), 'the connection');
}

interface Plain {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

async function requestOf({ engine }: Trial, container: Container, request: string): Promise<Plain> {
  const tar = { method: 'POST', type: tarHeaders['content-type'] };
  const content = Buffer.alloc(120_000, 'dropped ');
  const archive = tarBytes([{ name: 'ec-dropped', type: 'file', mode: 0o644, time: 0, long: 'pax', content }]);
  const json = { method: 'POST', type: 'application/json' };
  switch (request) {
    case 'create': {
      const name = engine.name('container');
      engine.made({ kind: 'container', name });
      return {
        ...json,
        path: `/containers/create?name=${name}`,
        body: Buffer.from(JSON.stringify(createBody(engine))),
      };
    }
    case 'exec': {
      const body = Buffer.from(JSON.stringify({ Cmd: ['/probe', 'exit', '0'], AttachStdout: true }));
      return { ...json, path: `/containers/${container.name}/exec`, body };
    }
    case 'put':
      return { ...tar, method: 'PUT', path: `/containers/${container.name}/archive?path=/data`, body: archive };
    case 'import': {
      const { repository } = newName(engine);
      engine.made({ kind: 'image', name: `${repository}:latest` });
      return { ...tar, path: `/images/create?fromSrc=-&repo=${repository}&tag=ec`, body: archive };
    }
    case 'load':
      return { ...tar, path: '/images/load', body: archive };
    default: {
      const made = own(engine);
      const body = await contextWith(engine, fileOf(engine, made), { name: 'ec-dropped', mode: 0o644, content });
      return { ...tar, path: `/build?nocache=1&t=${made.name}`, body };
    }
  }
}

async function dropAnswer(trial: Trial, container: Container, { answer, received, typed }: InAnswer): Promise<void> {
  const live = await settled(openOf(trial, container, answer), `the answer of ${answer}`);
  const types = answer.startsWith('attach') || answer === 'exec start' ? typed : 0;
  if (live && types > 0) live.write(Buffer.alloc(types, 'typed '));
  await live?.satisfiesWithin(received === 0 ? 0 : comesMs, (bytes) => bytes.length >= received);
  const said = types > 0 ? `, types ${types} bytes` : '';
  trial.step(
    `begins ${answer}${said}, and drops the connection after ${live?.received.length ?? 0} bytes of the answer`,
  );
  live?.drop();
}

/** An answer in progress; undefined for one that does not begin before the client has left. */
async function openOf({ engine }: Trial, container: Container, answer: string): Promise<LiveExchange | undefined> {
  const streams = { stream: true, stdin: true, stdout: true, stderr: true };
  switch (answer) {
    case 'attach':
      return container.attach({ ...streams, logs: true });
    case 'attach without an upgrade':
      return container.attach(streams, { upgrade: false });
    case 'exec start': {
      const exec = await makeExec(engine, container, {
        run: ['out-fill', '300000', 'echo'],
        config: { AttachStdin: true },
      });
      return exec.start();
    }
    case 'logs':
      return container.openLogs({ follow: true, stdout: true, stderr: true });
    case 'events':
      return engine.open('GET', '/events', { query: { since: Math.floor(Date.now() / 1_000) - 60 } });
    case 'stats':
      return engine.open('GET', container.path('stats'));
    case 'export':
      return engine.open('GET', container.path('export'));
    case 'archive':
      return engine.open('GET', container.path('archive'), { query: { path: '/probe' } });
    case 'build': {
      const made = own(engine);
      const body = await contextWith(
        engine,
        fileOf(engine, made, run('out', 'begun\\n', 'sleep', '400', 'out-fill', '9000')),
      );
      const query = { t: made.name, nocache: true, forcerm: true };
      return engine.open('POST', '/build', { query, headers: tarHeaders, body, takesMs: buildMs });
    }
    default: {
      const path = container.path('wait');
      const bytes = Buffer.from(`POST /v${engine.api}${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
      await engine.raw(bytes, { method: 'POST', path, after: 'waits', waitMs: comesMs });
      return undefined;
    }
  }
}
