import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Container } from '../../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { on } from '../../../harness/faults/fault.ts';
import { swallows } from '../../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import type { Target } from '../../../harness/target/target.ts';
import type { StatedRuleId } from '../../../specs/stated.ts';
import { tellUnjudged } from '../../support/shared-results.ts';
import {
  type Came,
  checkMeeting,
  clients,
  inTurn,
  type Look,
  type Met,
  type Placed,
  type Stage,
} from './support/meeting.ts';
import type { Done } from './support/orders.ts';
import type { Scene } from './support/scene.ts';

/** What two clients do to one container and to the names of others. */
type ContainerOperation =
  | { readonly does: 'start' | 'kill' | 'pause' | 'unpause' | 'remove' | 'remove-by-force' }
  | { readonly does: 'rename' | 'create'; readonly to: string };

/** The container, and the names of other containers. */
interface ContainerOutcome {
  /** Absent when it was removed. */
  readonly container?: { readonly name: string; readonly runs: boolean; readonly paused: boolean };
  readonly others: readonly string[];
}

/** Each meeting is about a name of its own, which its operations get when it begins. */
const renames: ContainerOperation = { does: 'rename', to: '' };
const creates: ContainerOperation = { does: 'create', to: '' };
const removes: ContainerOperation = { does: 'remove-by-force' };
const starts: ContainerOperation = { does: 'start' };
const kills: ContainerOperation = { does: 'kill' };

type Meets = Met<boolean, ContainerOperation>;

/**
 * What the two clients do. Some engines keep a container that is renamed during its removal in the list until they are
 * restarted, so that is tried only on a daemon that may break.
 */
function meetings({ lacks }: Target): fc.Arbitrary<Meets> {
  const names = lacks.hostile === undefined ? [removes] : [];
  const pauses: readonly ContainerOperation[] =
    lacks.freezer === undefined ? [{ does: 'pause' }, { does: 'unpause' }] : [];
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ setup: fc.boolean(), pair: clients<ContainerOperation>([starts, kills]) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        setup: fc.boolean(),
        pair: clients<ContainerOperation>([starts, starts, kills, removes], [{ does: 'remove' }, removes, removes]),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        // Whether it runs makes no difference to its name.
        setup: fc.constant(false),
        pair: clients<ContainerOperation>([renames, creates, creates, ...names]),
      }),
    },
    // Pausing is kept apart, as the result of killing or removing a paused container is not documented.
    {
      weight: 1,
      arbitrary: fc.record({
        setup: fc.constant(true),
        pair: clients<ContainerOperation>([...pauses, renames]),
      }),
    },
  );
}

function rankOf({ pair }: Meets): number {
  const order: readonly ContainerOperation['does'][] = [
    'create',
    'rename',
    'unpause',
    'pause',
    'start',
    'kill',
    'remove',
  ];
  const ranks = pair.flat().map(({ does }) => order.indexOf(does));
  return ranks.includes(-1) ? order.length : Math.max(...ranks);
}

checkMeeting<Props, boolean, ContainerOperation, ContainerOutcome>('generated.models.parallel', {
  faults: [
    on('DELETE /containers/{id}', swallows(204)),
    on('POST /containers/{id}/start', swallows(204)),
    on('POST /containers/{id}/kill', swallows(204)),
  ],
  looksAt: ['freezer'],
  runs: 6,
  // What leaves nothing to go on with comes last.
  values: ({ target }) => {
    if (target.lacks.freezer !== undefined) tellUnjudged('pauses were', target.lacks.freezer);
    return inTurn(meetings(target), 4).map((met) => met.toSorted((one, other) => rankOf(one) - rankOf(other)));
  },
  prepare: async () => ({}),
  begin,
  words,
  after: () => after,
  ruleAgainst,
});

interface Props {
  /** Made by the first meeting. */
  container?: Container;
}

/** Makes a container, running or not; later meetings begin with what the one before has left. */
async function begin(
  { setup: runs, pair, place }: Placed<boolean, ContainerOperation>,
  scene: Scene,
  props: Props,
  before: Came<ContainerOutcome> | undefined,
): Promise<Stage<ContainerOperation, ContainerOutcome> | undefined> {
  if (before && !canFollow(pair, before)) return undefined;
  if (!props.container) scene.trial.step(`makes the container a, which is ${runs ? 'running' : 'created'}`);
  props.container ??= await makeContainer(scene.engine, { state: runs ? 'running' : 'created', network: 'any' });
  const { container } = props;
  const to = scene.name('container', letterOf(place));
  return {
    first: before?.outcome ?? { container: { name: container.name, runs, paused: false }, others: [] },
    named: (operation) => ('to' in operation ? { ...operation, to } : operation),
    send: (operation) => send(operation, container, scene),
    look: () => look(container, scene),
  };
}

/** Whether a meeting's results are documented for the container that the one before has left. */
function canFollow(pair: Meets['pair'], { outcome: { container }, certain }: Came<ContainerOutcome>): boolean {
  if (!container || !certain) return false;
  const pausing = ['pause', 'unpause', 'rename'];
  const isAbout = (does: readonly string[]) => pair.flat().every((operation) => does.includes(operation.does));
  if (container.paused) return isAbout(pausing);
  return container.runs || pair.flat().every(({ does }) => does !== 'pause' && does !== 'unpause');
}

/** The name that a meeting is about. */
function letterOf(place: number): string {
  return 'bcde'.charAt(place);
}

function words({ does }: ContainerOperation, place: number): string {
  if (does === 'create') return `creates the container ${letterOf(place)}`;
  if (does === 'rename') return `renames a to ${letterOf(place)}`;
  return {
    start: 'starts',
    kill: 'kills',
    pause: 'pauses',
    unpause: 'unpauses',
    remove: 'removes',
    'remove-by-force': 'removes by force',
  }[does].concat(' a');
}

/**
 * The outcome of an operation that succeeded; undefined when the documents say that it should have been refused. Where
 * they do not say, as for killing a stopped container, it changes nothing.
 */
function after(
  { container, others }: ContainerOutcome,
  { operation, status }: Done<ContainerOperation>,
): ContainerOutcome | undefined {
  if (operation.does === 'create') {
    const taken = [...others, ...(container ? [container.name] : [])];
    if (taken.includes(operation.to)) return undefined;
    return { ...(container && { container }), others: [...others, operation.to].sort() };
  }
  if (!container) return { others };
  const { runs, paused } = container;
  const changed = (change: Partial<typeof container>): ContainerOutcome => ({
    container: { ...container, ...change },
    others,
  });
  switch (operation.does) {
    case 'start':
      // 304 says that it was already running.
      return status === 304 && !runs ? undefined : changed({ runs: true });
    case 'kill':
      return changed({ runs: false, paused: false });
    case 'pause':
      return changed({ paused: runs });
    case 'unpause':
      return changed({ paused: false });
    case 'rename':
      return others.includes(operation.to) ? undefined : changed({ name: operation.to });
    case 'remove':
      return runs || paused ? undefined : { others };
    case 'remove-by-force':
      return { others };
  }
}

function send(operation: ContainerOperation, container: Container, { engine }: Scene): Promise<Exchange> {
  switch (operation.does) {
    case 'create':
      return create(engine, createBody(engine), { name: operation.to });
    case 'rename':
      return container.rename(operation.to);
    case 'remove':
      return container.remove();
    case 'remove-by-force':
      return container.remove({ force: true });
    case 'start':
    case 'kill':
    case 'pause':
    case 'unpause':
      return container[operation.does]();
  }
}

async function look(container: Container, scene: Scene): Promise<Look<ContainerOutcome>> {
  const list = await scene.engine.get('/containers/json', { all: true });
  const inspect = await container.inspect();
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  const others = scene
    .names('container')
    .filter((name) => items.some(({ Id, Names }) => Id !== container.id && isNamed(Names, name)))
    .sort();
  const evidence = [list, inspect];
  const item = items.find(({ Id }) => Id === container.id);
  if (inspect.status === 404 && !item) return { outcome: { others }, evidence };
  const shown = inspect.status === 200 ? inspect.json : {};
  const name = String(valuesAt(shown, 'Name')[0] ?? '').slice(1);
  const [runs, paused] = ['Running', 'Paused'].map((field) => valuesAt(shown, `State.${field}`)[0] === true);
  const listed = item && isNamed(item.Names, name) ? name : 'another name in the list, or none';
  return { outcome: { container: { name: listed, runs: runs === true, paused: paused === true }, others }, evidence };
}

function isNamed(value: unknown, name: string): boolean {
  return Array.isArray(value) && value.includes(`/${name}`);
}

/** The rule by which an outcome is judged, depending on the part of it that no order explains. */
function ruleAgainst(outcomes: readonly ContainerOutcome[], { container, others }: ContainerOutcome): StatedRuleId {
  if (outcomes.length === 0) return 'containers.create.name-taken-409';
  if (!outcomes.some((one) => isDeepStrictEqual(one.others, others))) return 'containers.list.all-true';
  if (container && !outcomes.some((one) => one.container)) return 'containers.remove.container-gone';
  const alike = outcomes.filter((one) => one.container?.name === container?.name);
  if (alike.length === 0) return 'containers.rename.taken-answers-409';
  if (alike.some((one) => one.container?.runs === container?.runs)) return 'containers.list.states-agree';
  return container?.runs ? 'containers.stop.container-not-running' : 'containers.start.container-runs';
}
