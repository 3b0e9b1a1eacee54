import { type CheckContext, check, fixture } from '../harness/check.ts';
import type { Engine, RequestOptions } from '../harness/engine/engine.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { control, given, settled } from '../harness/engine/given.ts';
import { expect, expectValue, observe } from '../harness/expect/expect.ts';
import { answersStatus } from '../harness/faults/answers.ts';
import { type Fault, on, onRequests } from '../harness/faults/fault.ts';
import { setsField } from '../harness/faults/fields.ts';
import { Blocked, NotApplicable } from '../harness/verdict/outcomes.ts';
import { allEndpoints } from '../specs/catalogue.ts';
import { compareVersions, holdsIn } from '../specs/versions.ts';
import { tellsVersion } from './support/known-answer.ts';
import { ifThere } from './support/shared-results.ts';
import { askedVersion } from './support/version-asked.ts';

/** Far above any engine's version (interpretation `newer-client`). */
const farNewer = '/v99.99';

function askAs(engine: Engine, prefix: string, method = 'GET', path = '/version'): Promise<Exchange> {
  return engine.request(method, path, { prefix });
}

check('versioning.prefix', { faults: [on('GET /version', answersStatus(404, 200))] }, async (context) => {
  const answer = await askedVersion(context);
  expect(answer).toHaveStatus(200);
  await tellsVersion(answer);
});

/** Newer than any engine's version, and older only where versions are compared as strings. */
const newerNumber = '/v1.100';

/** Newer as well, and older only where the second number is compared alone. */
const newerMajor = '/v2.0';

/** The version after the newest that the daemon answers under or reports. */
async function versionAfter({ engine, target, api }: Pick<CheckContext, 'engine' | 'target' | 'api'>): Promise<string> {
  const newest = target.serves.at(-1) ?? api;
  const { json } = await given(askAs(engine, `/v${newest}`), 200);
  const minors = [newest, String(Object(json).ApiVersion)].map((version) =>
    Number(/^1\.(\d+)$/.exec(version)?.[1] ?? 0),
  );
  return `1.${Math.max(...minors) + 1}`;
}

/** Whether a daemon answers under a version that it reports as its own. */
function isOwn(answer: Exchange, version: string): boolean {
  return answer.status === 200 && String(Object(answer.json).ApiVersion) === version;
}

/** Accepts clients of some newer versions, those with a matching prefix. */
function takesNewer(name: string, prefix: RegExp): Fault {
  const { answer: taken } = answersStatus(200, 400);
  return on('GET /version', {
    name,
    answer: (answer, request) => (prefix.test(request.path) ? (taken?.(answer, request) ?? answer) : answer),
  });
}

check(
  'versioning.newer-client-400',
  {
    faults: [
      on('GET /version', answersStatus(200, 400)),
      takesNewer('compares versions as texts', /^\/v1\.100\//),
      takesNewer('takes the version after its own', /^\/v1\.\d\d\//),
      takesNewer('compares the second number alone', /^\/v2\.0\//),
    ],
  },
  async (context) => {
    const { engine } = context;
    await control(askedVersion(context), 200);
    for (const prefix of [farNewer, newerNumber, newerMajor]) expect(await askAs(engine, prefix)).toHaveStatus(400);
    const next = await versionAfter(context);
    const answer = await askAs(engine, `/v${next}`);
    // A daemon may report the version of the request path, and then this one counts as its own.
    if (!isOwn(answer, next)) expect(answer).toHaveStatus(400);
  },
);

check('versioning.reported', { faults: [] }, async (context) => {
  const { target, api } = context;
  const answer = await given(askedVersion(context), 200);
  const newest = target.serves.at(-1) ?? api;
  const told = String(Object(answer.json).ApiVersion);
  const others =
    told === api ? 'tells the version that it is asked under' : 'tells one version whatever it is asked under';
  observe(newest === api ? `tells ${told}, asked under its newest version` : others, answer);
});

/** Calls that succeed in the client's own version, so that only the newer version can be the reason for a refusal. */
const calls = [
  ['GET', '/_ping'],
  ['GET', '/info'],
  ['GET', '/containers/json'],
] as const;

/** Calls that a daemon would act on, or ask a registry about, if it treated them as its own version's. */
const leftOut = ['/auth', '/build', '/images/create', '/images/load', '/images/search'];

/** A call of an endpoint, which is the same in every version that has it. */
interface Call {
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly options: RequestOptions;
}

/**
 * Every other endpoint of a version that the daemon serves, called for something that does not exist, so that nothing
 * changes whatever the answer.
 */
async function harmlessCalls(engine: Engine): Promise<readonly Call[]> {
  const unknown = engine.unusedName('container');
  const all = allEndpoints
    .filter((endpoint) => endpoint.server === undefined && holdsIn(endpoint, engine.api))
    .filter(({ path }) => !leftOut.includes(path) && !/^\/(?:volumes|networks)\/create$/.test(path))
    .filter((endpoint) => !calls.some(([method, path]) => method === endpoint.method && path === endpoint.path))
    .map(({ method, path: template, body }): Call => {
      const path = template.replaceAll(/\{\w+\}/g, unknown);
      // A body that does not fit the version is refused for that reason.
      const takesBody = method === 'POST' && (body === undefined || holdsIn(body, engine.api));
      const options = { query: enough(unknown), ...(takesBody && { json: enoughInBody(unknown) }) };
      return { endpoint: `${method} ${template}${takesBody ? ' with a body' : ''}`, method, path, options };
    });
  const served = await Promise.all(
    all.map(async (call) => ((await engine.serves(call.method, call.path)) ? [call] : [])),
  );
  return served.flat();
}

/** Everything that some endpoint requires, so that the only defect of a call is what does not exist. */
const enough = (unknown: string) => ({
  ...{ stdout: 1, h: 10, w: 10, path: '/' },
  // Events until then are none, and end at once.
  ...{ container: unknown, until: 1 },
  name: unknown,
  names: unknown,
  repo: unknown,
});
const enoughInBody = (unknown: string) => ({ Image: unknown, Cmd: ['x'], Container: unknown, Resource: '/x' });

/** The control: the same call in the client's own version is not refused with 400. @throws Blocked */
async function controlOtherThan400(call: Promise<Exchange>): Promise<void> {
  const { status, request } = await settled(call, 'the positive control');
  if (status !== 400) return;
  throw new Blocked(`the positive control ${request.method} ${request.path} gave 400 in the client's own version`);
}

/** Asks as a client of another version, with the answers by endpoint. */
async function askEach(engine: Engine, prefix: string, asked: readonly Call[]): Promise<ReadonlyMap<string, Exchange>> {
  const answers = asked.map(async ({ endpoint, method, path, options }) => {
    return [endpoint, await engine.request(method, path, { ...options, prefix })] as const;
  });
  return new Map(await Promise.all(answers));
}

const plainCalls = calls.map(([method, path]): Call => ({ endpoint: `${method} ${path}`, method, path, options: {} }));

/** Asked once for all versions: the newer version stands in the path of each request, and none of those judged does. */
const askedAsNewer = fixture(
  'the answers to a client of a far newer version',
  async ({ engine }) => askEach(engine, farNewer, [...plainCalls, ...(await harmlessCalls(engine))]),
  { allVersions: (made) => made },
);

const everyCallFaults = [
  ...calls,
  ...[
    ['POST', '/containers/{id}/start'],
    ['GET', '/images/{name}/json'],
    ['POST', '/commit'],
    ['GET', '/events'],
  ],
];

/** Every call gets 400, by what is shared or where that lacks an endpoint, which the newest version may not have. */
async function expectRefusedEach(engine: Engine, prefix: string, shared: ReadonlyMap<string, Exchange>): Promise<void> {
  for (const { method, path } of plainCalls) await control(engine.request(method, path), 200);
  const harmless = await harmlessCalls(engine);
  await Promise.all(
    harmless.map(({ method, path, options }) => controlOtherThan400(engine.request(method, path, options))),
  );
  const all = [...plainCalls, ...harmless];
  const others = await askEach(
    engine,
    prefix,
    all.filter(({ endpoint }) => !shared.has(endpoint)),
  );
  for (const { endpoint } of all) {
    const answer = shared.get(endpoint) ?? others.get(endpoint);
    if (answer) expect(answer).toHaveStatus(400);
  }
}

const takesSome = everyCallFaults.map(([method, path]) => onRequests(`${method} ${path}`, answersStatus(200, 400)));

check('versioning.newer-client-every-call', { long: true, faults: takesSome }, async ({ engine, use }) =>
  expectRefusedEach(engine, farNewer, await use(askedAsNewer)),
);

check('versioning.newer-client-1.20', { faults: [] }, async ({ engine }) => {
  const answer = await askAs(engine, farNewer);
  observe(`answers ${answer.status}`, answer);
});

check(
  'versioning.not-older-than-asked',
  { faults: [on('GET /version', setsField('ApiVersion', '1.19'))] },
  async (context) => {
    const { api } = context;
    const answer = await given(askedVersion(context), 200);
    const [major = 0, minor = 0] = String(Object(answer.json).ApiVersion).split('.').map(Number);
    const [wantedMajor = 0, wantedMinor = 0] = api.split('.').map(Number);
    const newEnough = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
    expectValue('ApiVersion', Object(answer.json).ApiVersion, [answer]).toSatisfy(`${api} or newer`, () => newEnough);
  },
);

check('versioning.unprefixed', { faults: [] }, async ({ engine }) => {
  const answer = await askAs(engine, '');
  observe(`answers ${answer.status}`, answer);
});

const others = [0, 10, 12, 18, 19, 20, 21, 22, 23, 24, 30, 40, 41, 50].map((minor) => `1.${minor}`);

/** Asks for the least that is served under a version, as an answer to /version may take a second. */
function pingAs(engine: Engine, version: string): Promise<Exchange> {
  return askAs(engine, `/v${version}`, 'GET', '/_ping');
}

/** By version. The requests are the same whichever version is judged. */
const underEach = fixture(
  'the answers under other versions',
  async ({ engine }) =>
    new Map(await Promise.all(others.map(async (version) => [version, await pingAs(engine, version)] as const))),
  { allVersions: (made) => made },
);

check('versioning.range', { faults: [] }, async ({ use }) => {
  const answers = await use(underEach);
  const served = others.filter((version) => answers.get(version)?.status === 200);
  observe(`of ${others.join(', ')} it answers under ${served.join(', ')}`, ...answers.values());
});

check('versioning.older-client', { faults: [] }, async ({ engine, use }) => {
  const answer = (await ifThere(use(underEach)))?.get('1.0') ?? (await pingAs(engine, '1.0'));
  observe(`answers ${answer.status}`, answer);
});

/**
 * The version before the daemon's own oldest: one below the oldest that the contract knows may still be served.
 * @throws NotApplicable when the daemon tells none, or serves older ones as well
 */
async function versionTooOld(context: CheckContext): Promise<string> {
  const { json } = await control(askedVersion(context), 200);
  const oldest = String(Object(json).MinAPIVersion);
  if (!/^1\.[1-9]\d*$/.test(oldest)) throw new NotApplicable('the daemon does not tell which version is its oldest');
  const older = `1.${Number(oldest.slice(2)) - 1}`;
  if (context.target.serves.some((version) => compareVersions(version, older) <= 0)) {
    throw new NotApplicable(`it answers under versions older than ${oldest}, which it says is its oldest`);
  }
  return older;
}

check('versioning.too-old-400', { faults: [on('GET /version', answersStatus(200, 400))] }, async (context) => {
  const older = await versionTooOld(context);
  expect(await askAs(context.engine, `/v${older}`)).toHaveStatus(400);
});

check('versioning.too-old-every-call', { long: true, faults: takesSome }, async (context) => {
  const prefix = `/v${await versionTooOld(context)}`;
  await expectRefusedEach(context.engine, prefix, new Map());
});

check('versioning.later-endpoints', { faults: [] }, async ({ engine, api }) => {
  const [method, path] =
    api === '1.20' ? ['GET', '/volumes'] : ['POST', `/containers/${engine.unusedName('container')}/update`];
  const answer = await engine.request(method, path);
  observe(
    `answers ${answer.status} to ${api === '1.20' ? 'GET /volumes' : 'an update of an unknown container'}`,
    answer,
  );
});
