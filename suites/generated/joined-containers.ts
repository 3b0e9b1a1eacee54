import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { readOutput } from '../../harness/engine/output.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresBodyField, swallows } from '../../harness/faults/requests.ts';
import { distinct, hostnames } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { plainLinks } from '../containers/support/equivalent-values.ts';
import { addressIn, removeLink } from '../containers/support/links.ts';
import { type Common, host, idle } from '../support/common-containers.ts';
import { createJudged } from './support/judged-create.ts';
import { expectKept, judgedOf } from './support/kept-fields.ts';

const rules = 'containers.create.body.HostConfig.';
const letters = ['a', 'b'] as const;
type Letter = (typeof letters)[number];

interface Link {
  readonly to: Letter;
  readonly alias: string;
  /** Whether it is removed before the container starts. */
  readonly goes: boolean;
}

/** Nothing happens to those that others refer to. */
const others: Readonly<Record<Letter, Common>> = { a: idle, b: host };

const links: fc.Arbitrary<Link[]> = distinct(
  fc.record({ to: fc.constantFrom(...letters), alias: hostnames, goes: fc.boolean() }),
  ({ alias }) => alias,
);

/** How `container:<name or id>` names a container. */
type Form = 'name' | 'id';
const forms = fc.constantFrom<Form[]>('name', 'id');

interface Value {
  readonly pid: Form | null;
  readonly rest: { readonly links: readonly Link[] } | { readonly network: Form };
}

const values: fc.Arbitrary<Value> = fc.noBias(
  fc.record({
    pid: fc.option(forms),
    // A container that shares another one's network has no network of its own for links.
    rest: fc.oneof(
      { weight: 2, arbitrary: fc.record({ links }) },
      { weight: 1, arbitrary: fc.record({ network: forms }) },
    ),
  }),
);

const creates = 'POST /containers/create';
const inspects = 'GET /containers/{id}/json';

check(
  'generated.inputs.joined-containers',
  {
    faults: [
      on(creates, ignoresBodyField('HostConfig.Links')),
      on('DELETE /containers/{id}', swallows(204)),
      on(inspects, setsField('HostConfig.PidMode', '')),
      on(inspects, setsField('HostConfig.NetworkMode', 'bridge')),
    ],
  },
  (context) =>
    forAll(context, values, { runs: 2 }, async ({ pid, rest }, trial) => {
      const { engine } = trial;
      const made = new Map<Letter, Container>();
      const make = async (letter: Letter): Promise<Container> => {
        const known = made.get(letter);
        if (known) return known;
        trial.step(`has the container ${letter}, which runs`);
        const { id, name } = await trial.use(others[letter]);
        const container = new Container(engine, id, name);
        made.set(letter, container);
        return container;
      };
      const wanted: Linked[] = [];
      for (const link of 'links' in rest && trial.holds(`${rules}Links`) ? rest.links : []) {
        wanted.push({ ...link, other: await make(link.to) });
      }
      const a = pid !== null || 'network' in rest ? await make('a') : undefined;
      const hostConfig = judgedOf(trial, rules, {
        ...(wanted.length > 0 && { Links: textsOf(wanted) }),
        ...(a && pid !== null && { PidMode: `container:${a[pid]}` }),
        ...(a && 'network' in rest && { NetworkMode: `container:${a[rest.network]}` }),
      });
      trial.step(`creates a container with ${inWords({ pid, rest }, wanted)}`);
      const container = await createJudged(trial, { run: ['read', '/etc/hosts'], hostConfig });
      if (!container) return;
      const inspect = await given(container.inspect(), 200);
      const { Links } = hostConfig;
      if (Links !== undefined) await expectKept(trial, inspect, { Links }, { rules, where: 'HostConfig.' });
      for (const member of ['PidMode', 'NetworkMode'] as const) {
        if (a && member in hostConfig) await trial.decides(`${rules}${member}`, () => expectNamed(inspect, member, a));
      }
      if (wanted.length > 0) await judgeHosts(trial, container, await removeLinks(trial, container, wanted));
    }),
);

/** A link, together with the container that it points to. */
interface Linked extends Link {
  readonly other: Container;
}

/** In the form of Links (Document 1, HostConfig). */
function textsOf(links: readonly Linked[]): string[] {
  return links.map(({ other, alias }) => `${other.name}:${alias}`);
}

function inWords({ pid, rest }: Value, wanted: readonly Link[]): string {
  const parts = [
    ...wanted.map(({ to, alias }) => `${to} as ${alias}`),
    ...(pid === null ? [] : [`the process ids of a by its ${pid}`]),
    ...('network' in rest ? [`the network of a by its ${rest.network}`] : []),
  ];
  return parts.join(', ') || 'nothing of another';
}

/** Judges that a member of HostConfig names the other container, by its name or its identifier. */
function expectNamed(inspect: Exchange, member: 'PidMode' | 'NetworkMode', { id, name }: Container): void {
  const path = `HostConfig.${member}`;
  const [shown] = valuesAt(inspect.json, path);
  expectValue(path, shown, [inspect]).toSatisfy(`container:${name} or container:${id}`, () =>
    [id, name, `/${name}`].some((form) => shown === `container:${form}`),
  );
}

/** Removes the links that are to go one by one, judges that the others remain, and returns those. */
async function removeLinks(trial: Trial, container: Container, links: readonly Linked[]): Promise<readonly Linked[]> {
  const rule = 'containers.remove.link-removes-link';
  if (!trial.holds(rule)) return links;
  let left = links;
  for (const link of links.filter(({ goes }) => goes)) {
    trial.step(`removes its link ${link.alias}`);
    left = left.filter((one) => one !== link);
    const removed = await removeLink(trial.engine, container, link.alias, '1');
    const inspect = await container.inspect();
    await trial.decides(rule, () => {
      expect(removed).toHaveStatus(204);
      expect(inspect).toHaveStatus(200);
      const shown = plainLinks(valuesAt(inspect.json, 'HostConfig.Links')[0] ?? null);
      expectValue('HostConfig.Links', shown, [removed, inspect]).toBe(textsOf(left).sort());
    });
  }
  return left;
}

/** Judges that a container which prints its hosts file finds the others by their aliases. */
async function judgeHosts(trial: Trial, container: Container, links: readonly Linked[]): Promise<void> {
  if (links.length === 0) return;
  trial.step('starts it, and reads its hosts file');
  await given(container.start(), 204);
  await container.hasEnded();
  const { stdout, evidence } = await readOutput(container);
  for (const { other, alias } of links) {
    const inspect = await given(other.inspect(), 200);
    const address = addressIn(inspect);
    await trial.decides('containers.create.host-config.links', () => {
      const named = stdout
        .split('\n')
        .map((line) => line.split(/\s+/))
        .filter((words) => words.includes(alias));
      expectValue(
        `the address of ${alias} in the hosts file`,
        named.map(([first]) => first),
        [inspect, evidence],
      ).toContain(address);
    });
  }
}
