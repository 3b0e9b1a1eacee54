import { type CheckContext, check } from '../harness/check.ts';
import { Container } from '../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../harness/engine/containers.ts';
import type { Engine } from '../harness/engine/engine.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { createExec, execBody } from '../harness/engine/exec.ts';
import { control, given } from '../harness/engine/given.ts';
import { makeNetwork } from '../harness/engine/networks.ts';
import { expect } from '../harness/expect/expect.ts';
import { answersBody, answersStatus, setsHeader } from '../harness/faults/answers.ts';
import { type Fault, on, onlyFor, onRequests } from '../harness/faults/fault.ts';
import { valuesAt } from '../harness/streams/json-path.ts';
import { newName } from './images/support/committed-images.ts';
import { created, host } from './support/common-containers.ts';
import { makeVolume } from './volumes/support/volumes.ts';

/** The form of errors since 1.24. */
function expectError(answer: Exchange): void {
  expect(answer).toHaveMediaType('application/json');
  expect(answer)
    .field('message')
    .toSatisfy('a text', (message) => typeof message === 'string' && message !== '');
}

/** Which error it is, other rules judge. */
const errors = [400, 404, 409, 500];

const inspect = 'GET /containers/{id}/json';
const network = 'GET /networks/{id}';

/** Errors as older daemons write them. */
const plainErrors: Fault = {
  name: 'answers errors as text/plain',
  answer: (answer) =>
    answer.status < 400
      ? answer
      : { ...answer, headers: [['Content-Type', 'text/plain']], body: Buffer.from('no such thing\n') },
};

/** Where requests are refused for other defects, or with other methods. */
const refusedElsewhere = [
  'GET /containers/json',
  'POST /containers/create',
  'POST /containers/{id}/rename',
  'DELETE /containers/{id}',
  'GET /volumes/{name}',
  'DELETE /volumes/{name}',
  'DELETE /networks/{id}',
  'GET /exec/{id}/json',
  'POST /containers/{id}/exec',
  'POST /volumes/create',
  'GET /containers/{id}/top',
  'GET /containers/{id}/changes',
  'GET /containers/{id}/archive',
  'POST /containers/{id}/stop',
  'POST /containers/{id}/start',
  'POST /containers/{id}/kill',
  'GET /images/{name}/history',
  'GET /images/{name}/get',
  'POST /images/{name}/tag',
  'DELETE /images/{name}',
  'GET /info',
] as const;

const withoutVersion = onlyFor(
  ({ path }) => !/^\/v\d/.test(path),
  plainErrors,
  'answers plain errors without a version',
);

check(
  'service.error-json',
  {
    faults: [
      on(inspect, plainErrors),
      on(network, setsHeader('Content-Type', 'text/plain; charset=utf-8')),
      on(inspect, answersBody('{"error":"no such container"}')),
      ...refusedElsewhere.map((endpoint) => on(endpoint, plainErrors)),
      on(inspect, withoutVersion),
    ],
    looksAt: ['networking', 'containers-run'],
  },
  async (context) => {
    const { engine, use } = context;
    const unknown = engine.unusedName('container');
    const container = await makeContainer(engine);
    const removable = [
      [`/volumes/${await makeVolume(engine)}`, `/volumes/${unknown}`],
      ...(await knownNetwork(context)),
    ] as const;
    for (const [known, path] of [
      [container.path('json'), `/containers/${unknown}/json`],
      [`/images/${engine.sandbox.image}/json`, `/images/${unknown}/json`],
      ...removable,
      ...(await knownExec(context)),
    ] as const) {
      await control(engine.get(known), 200);
      expectError(await given(engine.get(path), 404));
    }
    for (const [known, path] of removable) {
      await control(engine.delete(known), 204);
      expectError(await given(engine.delete(path), 404));
    }
    await control(engine.get('/containers/json'), 200);
    await control(container.rename(engine.name('container')), 204);
    const { name } = await use(created);
    for (const refused of [
      () => engine.get('/containers/json', { filters: 'no JSON' }),
      () => create(engine, createBody(engine), { name }),
      () => engine.post(`/containers/${unknown}/rename`, { query: { name: unknown } }),
      () => engine.delete(`/containers/${unknown}`),
    ]) {
      expectError(await given(refused(), ...errors));
    }
    await judgeRunning(context, container);
    await control(container.remove({ force: '1' }), 204);
    // The volume above could be created.
    expectError(await given(engine.post('/volumes/create', noJson), ...errors));
    await expectErrorsOfImages(engine);
    await control(engine.get('/info'), 200);
    const newer = await engine.request('GET', '/info', { prefix: '/v99.99' });
    // Whether it is refused, another rule judges.
    if (newer.status === 400) expectError(newer);
    // What a path without a version gets is not shown, but if it is this error, it has its form.
    const plain = await engine.request('GET', `/containers/${unknown}/json`, { prefix: '' });
    if (plain.status === 404) expectError(plain);
  },
);

/** Judges the errors of endpoints of images. The controls ask of an image what the others ask of none. */
async function expectErrorsOfImages(engine: Engine): Promise<void> {
  const known = `/images/${encodeURIComponent(engine.sandbox.image)}`;
  const unknown = `/images/${engine.unusedName('image')}`;
  const { name, repository: repo } = newName(engine);
  const query = { repo, tag: 'ec' };
  for (const part of ['history', 'get']) {
    await control(engine.get(`${known}/${part}`), 200);
    expectError(await given(engine.get(`${unknown}/${part}`), 404, 500));
  }
  await control(engine.post(`${known}/tag`, { query }), 201);
  expectError(await given(engine.post(`${unknown}/tag`, { query }), 404));
  await control(engine.delete(`/images/${name}`), 200);
  expectError(await given(engine.delete(unknown), 404));
}

const noJson = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{') };

/** What can be asked of a running container, by the ends of the paths. Not each log driver gives logs back. */
const ofRunning = [
  ['GET', 'top', {}],
  ['GET', 'changes', {}],
  ['GET', 'archive', { query: { path: '/' } }],
  ['POST', 'stop', { query: { t: 0 } }],
  ['POST', 'start', {}],
  ['POST', 'kill', {}],
] as const;

/** Judges the errors of what succeeds for this container, which it starts, and is asked of one that is not there. */
async function judgeRunning({ engine, target }: CheckContext, container: Container): Promise<void> {
  if (target.lacks['containers-run'] !== undefined) return;
  await control(container.start(), 204);
  const unknown = new Container(engine, engine.unusedName('container'), '');
  for (const [method, end, options] of ofRunning) {
    await control(engine.request(method, container.path(end), options), 200, 204);
    expectError(await given(engine.request(method, unknown.path(end), options), ...errors));
  }
}

/** The path of one that is there and of one that is not; none where there can be neither. */
type Paths = readonly (readonly [string, string])[];

async function knownNetwork({ engine, target }: CheckContext): Promise<Paths> {
  if (target.lacks.networking !== undefined) return [];
  return [[`/networks/${(await makeNetwork(engine)).id}`, `/networks/${engine.unusedName('network')}`]];
}

/** Judges the error of exec create as well. */
async function knownExec({ engine, target, use }: CheckContext): Promise<Paths> {
  if (target.lacks['containers-run'] !== undefined) return [];
  const made = await control(createExec(engine, (await use(host)).id, execBody()), 201);
  expectError(await given(createExec(engine, engine.unusedName('container'), execBody()), 404));
  return [[`/exec/${valuesAt(made.json, 'Id')[0]}/json`, `/exec/${engine.unusedName('container')}/json`]];
}

const unknownPath = '/ec-no-such-path';

check(
  'service.unknown-path-404',
  {
    faults: [onRequests(`GET ${unknownPath}`, answersStatus(400, 404)), onRequests(`GET ${unknownPath}`, plainErrors)],
  },
  async ({ engine }) => {
    await control(engine.get('/_ping'), 200);
    const answer = await engine.get(unknownPath);
    expect(answer).toHaveStatus(404);
    expectError(answer);
  },
);
