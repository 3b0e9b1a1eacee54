import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import type { Query } from '../../harness/engine/query.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import {
  ignoresHeader,
  ignoresQuery,
  knowsHeaderOnlyAs,
  knowsOnly,
  takesQueryAs,
} from '../../harness/faults/requests.ts';
import type { RegistryImage } from '../../harness/registry/image.ts';
import { parseJson } from '../../harness/streams/json.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import {
  expectIsPulled,
  givenPulled,
  inspect,
  isPulled,
  passwordWithBothSigns,
  publish,
  type Repository,
  withRegistry,
} from '../registry/support/published-images.ts';
import { doneOnce } from '../support/done-once.ts';
import { no, yes } from '../support/spellings.ts';
import { build, contextWith, expectImage, expectImageIn, inspectImage, type Own, own } from './support/building.ts';

const header = 'X-Registry-Config';

/** Builds on the image in the registry. */
async function buildOn(
  engine: Engine,
  { name }: Repository,
  made: Own,
  { tag = 'one', query = {}, headers = {} }: { tag?: string; query?: Query; headers?: Record<string, string> } = {},
): Promise<Exchange> {
  const context = await contextWith(engine, `FROM ${name}:${tag}\nLABEL ${made.label}\n`);
  return build(engine, context, { t: made.name, ...query }, headers);
}

/** The header with a map from registries to credentials. */
function registryConfig(map: Readonly<Record<string, object>>): Record<string, string> {
  const text = JSON.stringify(map);
  // Of a length that needs no padding: whether padding is used is not stated.
  const padded = text.padEnd(Math.ceil(text.length / 3) * 3);
  return { [header]: Buffer.from(padded).toString('base64url') };
}

/** Builds on an image of a registry that wants a password, which the header has. */
async function expectLoggedIn(engine: Engine, secret: { readonly password?: string } = {}): Promise<void> {
  await withRegistry(engine, { access: 'basic', ...secret }, async (repository) => {
    await publish(engine, repository, 'one');
    const made = own(engine);
    const { username, password } = repository.registry.access.user;
    const headers = registryConfig({ [repository.registry.host]: { username, password } });
    const answer = await buildOn(engine, repository, made, { headers });
    await expectImage(engine, made.name, answer);
  });
}

check('images.build.X-Registry-Config', { faults: [ignoresHeader(header)] }, ({ engine }) => expectLoggedIn(engine));

check('images.build.X-Registry-Config-base64url', { faults: [knowsHeaderOnlyAs(header, /^[^_-]*$/)] }, ({ engine }) =>
  expectLoggedIn(engine, { password: passwordWithBothSigns }),
);

/** Sends every registry the first credentials. */
const showsTheFirst: Fault = {
  name: 'shows every registry the first credentials',
  request: (request) => {
    const map = parseJson(Buffer.from(String(request.headers[header] ?? ''), 'base64url').toString());
    if (!isObject(map)) return request;
    const [first] = Object.values(map);
    const all = Object.fromEntries(Object.keys(map).map((host) => [host, first]));
    return {
      ...request,
      headers: { ...request.headers, [header]: Buffer.from(JSON.stringify(all)).toString('base64url') },
    };
  },
};

check(
  'images.build.X-Registry-Config-host-port',
  { faults: [ignoresHeader(header), showsTheFirst] },
  async ({ engine }) => {
    await withRegistry(engine, { access: 'basic' }, async (repository) => {
      await publish(engine, repository, 'one');
      const made = own(engine);
      const { username, password } = repository.registry.access.user;
      const other = { username: 'nobody', password: 'nothing' };
      const headers = registryConfig({
        '127.0.0.1': other,
        'registry.invalid:5000': other,
        [repository.registry.host]: { username, password },
      });
      const answer = await buildOn(engine, repository, made, { headers });
      await expectImage(engine, made.name, answer);
    });
  },
);

const tag = 'pulled';

/** Builds on an image in the registry. @returns what the daemon pulled */
async function pulledFirst(engine: Engine, repository: Repository): Promise<RegistryImage> {
  const first = await publish(engine, repository, tag);
  await buildOn(engine, repository, own(engine), { tag });
  await givenPulled(engine, `${repository.name}:${tag}`, first);
  return first;
}

/** A build on an image that the daemon already had. */
interface BuiltOn {
  readonly pull: string;
  /** The answers to inspect of what was built, and of the image below it. */
  readonly built: Exchange;
  readonly below: Exchange;
  /** Whether that is the image that has to be below it. */
  readonly isBelow: boolean;
}

async function builtOn(engine: Engine, repository: Repository, pull: string, image: RegistryImage): Promise<BuiltOn> {
  const made = own(engine);
  await buildOn(engine, repository, made, { tag, query: { pull } });
  const built = await inspectImage(engine, made.name);
  const name = `${repository.name}:${tag}`;
  const below = await inspect(engine, name);
  return { pull, built, below, isBelow: below.status === 200 && (await isPulled(engine, below, name, image)) };
}

function expectBuiltOn({ built, below, isBelow }: BuiltOn): void {
  expectImageIn(built);
  expectIsPulled(below, isBelow);
}

/** The registry has a new image before each build that spells true, and before those that spell false. */
const builtWithEach = doneOnce('builds with all spellings of pull', ({ engine }) =>
  withRegistry(engine, {}, async (repository) => {
    const all: BuiltOn[] = [];
    let had = await pulledFirst(engine, repository);
    for (const pull of yes) {
      had = await publish(engine, repository, tag);
      all.push(await builtOn(engine, repository, pull, had));
    }
    await publish(engine, repository, tag);
    for (const pull of no) all.push(await builtOn(engine, repository, pull, had));
    return all;
  }),
);

check('images.build.parameter.pull-true', { faults: [ignoresQuery('pull')] }, async (context) => {
  for (const one of await builtWithEach(context)) if (one.pull === 'true') expectBuiltOn(one);
});

check(
  'images.build.pull-spellings',
  { long: true, faults: [knowsOnly('pull', '1'), takesQueryAs('pull', '1')] },
  async (context) => {
    for (const one of await builtWithEach(context)) expectBuiltOn(one);
  },
);
