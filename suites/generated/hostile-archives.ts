import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { settled } from '../../harness/engine/given.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { changesStream } from '../../harness/faults/streams.ts';
import { hostileArchives, hostileBytes } from '../../harness/generators/hostile-archives.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { TransportError } from '../../harness/transport/errors.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { keysOf } from '../../specs/keys.ts';
import { buildMs, contextWith, file, fileOf, tarHeaders as headers, own } from '../build/support/building.ts';
import { newName } from '../images/support/committed-images.ts';
import { imageTarball } from '../images/support/tarball.ts';
import { contentsOf, secret, withCanary } from './support/canary.ts';
import { judgeHealth, Tally, unwell } from './support/health.ts';

const puts = 'PUT /containers/{id}/archive';

/** Follows the names in an archive out onto the machine. There it only knows the suite's own directory. */
const writesOutside: Fault = on(puts, {
  name: 'writes to the machine what an archive names',
  request: (request) => {
    const named = /\/[\w./-]*\/ec-canary-\w+/.exec(request.body?.toString('latin1') ?? '')?.[0];
    const at = named?.lastIndexOf('../') ?? -1;
    const directory = at < 0 ? named : `/${named?.slice(at + 3)}`;
    if (directory) writeFileSync(path.join(directory, 'escaped'), 'x');
    return request;
  },
});

/** Where an archive is sent. */
const ways = {
  'containers.archive-put.unpacks': 'unpacks it in a container',
  'images.create.fromSrc-body': 'imports it as an image',
  'images.load.image-there': 'loads it as the layer of an image',
  'images.build.context.files': 'builds from it',
} as const;

type Way = keyof typeof ways;

// The first one is always used, as it is where names are followed.
const further = fc.constantFrom(...keysOf(ways).slice(1));

/** Shows what a hard link out of the container would point to. */
const showsOutside: Fault = on(
  'GET /containers/{id}/archive',
  changesStream('shows a file of the machine', (bytes) => Buffer.concat([bytes, Buffer.from(secret)])),
);

check('generated.hostile.archives', { faults: [writesOutside, showsOutside, ...unwell] }, async (context) => {
  const tally = new Tally();
  const generated = fc.record({ archive: hostileArchives, further });
  await forAll(context, generated, { runs: 3 }, ({ archive: { tricks, sent }, further }, trial) =>
    withCanary(async (directory) => {
      const { engine } = trial;
      const body = hostileBytes(tricks, sent, { directory });
      const cut = sent === 1_000 ? '' : `, of which ${body.length} bytes are sent`;
      trial.step(`makes an archive with ${tricks.map(({ words }) => words).join(', ')}${cut}`);
      const container = await makeContainer(engine);
      for (const way of ['containers.archive-put.unpacks', further] as const) {
        trial.step(ways[way]);
        const answers = await senders[way](engine, container.path('archive'), body);
        for (const { status } of answers.slice(0, 1)) tally.add(`answers ${status}`);
        // No answers means that it did not answer this request; whether it is still well is judged separately.
        if (answers.length === 0) tally.add('gives no answer');
        if (answers.length > 0) {
          const shown = answers.some(({ answer }) => answer.body.includes(secret));
          await trial.decides(way, async () => {
            expectValue('whether it shows a file of the machine', shown, answers).toBe(false);
            const there = await contentsOf(directory);
            expectValue('the directory on the machine', there, answers).toBe({ secret });
          });
        }
      }
      await judgeHealth(trial);
    }),
  );
  tally.tell();
});

/** Sends an archive and then asks for the files that it could have brought in. Without an answer the list is empty. */
const senders: Readonly<Record<Way, (engine: Engine, archive: string, body: Buffer) => Promise<Exchange[]>>> = {
  'containers.archive-put.unpacks': (engine, archive, body) =>
    answered(async (add) => {
      add(await engine.request('PUT', archive, { query: { path: '/data' }, headers, body }));
      add(await engine.get(archive, { path: '/data' }));
    }),
  'images.create.fromSrc-body': (engine, _archive, body) =>
    answered(async (add) => {
      const { name, repository } = newName(engine);
      engine.made({ kind: 'image', name: `${repository}:latest` });
      const query = { fromSrc: '-', repo: repository, tag: 'ec' };
      add(await engine.post('/images/create', { query, headers, body }));
      add(await engine.get(`/images/${name}/get`));
    }),
  'images.load.image-there': (engine, _archive, body) =>
    answered(async (add) => {
      const { name, repository } = newName(engine);
      const id = Buffer.from(repository).toString('hex').padEnd(64, '0').slice(0, 64);
      const layer = { id, config: { Labels: { ...engine.sandbox.labels } }, files: {}, archive: body };
      const tarball = await imageTarball([layer], { [repository]: { ec: id } });
      add(await engine.post('/images/load', { headers, body: tarball }));
      add(await engine.get(`/images/${name}/get`));
    }),
  'images.build.context.files': (engine, _archive, body) =>
    answered(async (add) => {
      const made = own(engine);
      // The archive with the build file, without its end marker, followed by the hostile part.
      const context = await contextWith(engine, fileOf(engine, made, 'COPY . /data/'), file('ec-first', 'x'));
      const query = { t: made.name, nocache: true };
      const whole = Buffer.concat([context.subarray(0, -1_024), body]);
      add(await engine.post('/build', { query, headers, body: whole, takesMs: buildMs }));
      add(await engine.get(`/images/${made.name}/get`));
    }),
};

async function answered(run: (add: (answer: Exchange) => void) => Promise<void>): Promise<Exchange[]> {
  const answers: Exchange[] = [];
  try {
    await settled(
      run((answer) => answers.push(answer)),
      'an answer',
    );
  } catch (error) {
    if (!(error instanceof Blocked && error.cause instanceof TransportError)) throw error;
  }
  return answers;
}
