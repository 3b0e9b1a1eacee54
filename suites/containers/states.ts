import { check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { on, onRepeats } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresFilter } from '../../harness/faults/requests.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import type { Target } from '../../harness/target/target.ts';
import { kindOf } from '../events/support/event.ts';
import { listen } from '../events/support/listen.ts';
import { tellUnjudged } from '../support/shared-results.ts';
import { itemOf, listFiltered } from './support/list-answers.ts';

/** The values of the status filter that the operations lead to. */
const states = ['created', 'running', 'paused', 'exited'] as const;

/** What one look at a container shows of its state. */
interface Look {
  /** The states that inspect allows: its booleans do not tell a created container from one that has ended. */
  readonly inspected: readonly string[];
  /** The values of the status filter that find it and, in 1.23, the State of its item, without duplicates. */
  readonly listed: readonly string[];
  readonly evidence: readonly Exchange[];
}

function inspectedStates({ json }: Exchange): string[] {
  const is = (name: string) => valuesAt(json, `State.${name}`)[0] === true;
  if (is('Paused')) return ['paused'];
  if (is('Restarting')) return ['restarting'];
  if (is('Running')) return ['running'];
  const status = valuesAt(json, 'State.Status')[0];
  return typeof status === 'string' ? [status] : ['created', 'exited'];
}

async function look(engine: Engine, container: Container, filtersOf: FiltersOf): Promise<Look> {
  const inspect = await given(container.inspect(), 200);
  const inspected = inspectedStates(inspect);
  const evidence = [inspect];
  const listed = new Set<string>();
  for (const filter of filtersOf(inspected)) {
    const list = await given(listFiltered(engine, { status: filter }), 200);
    const item = itemOf(list, container);
    if (!item) continue;
    evidence.push(list);
    listed.add(filter.join(' or '));
    if (typeof item.State === 'string') listed.add(item.State);
  }
  return { inspected, listed: [...listed], evidence };
}

/** The status filters to ask for a container in one of these states. */
type FiltersOf = (inspected: readonly string[]) => readonly (readonly string[])[];

const eachState: FiltersOf = () => states.map((state) => [state]);

/** Fewer lists, which can show that a container is found by its own state alone, but not by which other one. */
const ownAndOthers: FiltersOf = (inspected) => [
  ...inspected.map((state) => [state]),
  states.filter((state) => !inspected.includes(state)),
];

function agrees({ inspected, listed: [first, ...more] }: Look): boolean {
  return first !== undefined && more.length === 0 && inspected.includes(first);
}

/** The documents do not say how soon the list follows, so it may take some looks. */
async function expectAgreement(engine: Engine, container: Container, operation: string): Promise<void> {
  let seen = await look(engine, container, ownAndOthers);
  for (let more = 5; more > 0 && !agrees(seen); more--) seen = await look(engine, container, eachState);
  const { inspected, listed, evidence } = seen;
  expectValue(`the states that find the container after ${operation}`, listed, evidence).toSatisfy(
    `${inspected.join(' or ')}, as inspect reports`,
    () => agrees(seen),
  );
}

/** The operations that change a container's state, in an order in which each succeeds. */
function operationsOn(
  { lacks }: Target,
  container: Container,
): readonly (readonly [string, () => Promise<Exchange>])[] {
  const pauses = [
    ['pause', () => container.pause()],
    ['unpause', () => container.unpause()],
  ] as const;
  return [
    ['start', () => container.start()],
    ...(lacks.freezer === undefined ? pauses : []),
    ['stop', () => container.stop({ t: 5 })],
    ['another start', () => container.start()],
    ['restart', () => container.restart({ t: 5 })],
    ['kill', () => container.kill()],
  ];
}

const list = 'GET /containers/json';

check(
  'containers.list.states-agree',
  {
    long: true,
    looksAt: ['freezer'],
    faults: [
      on(list, ignoresFilter('status')),
      on('GET /containers/{id}/json', setsField('State.Paused', true)),
      on('GET /containers/{id}/json', onRepeats(setsField('State.Running', true))),
    ],
  },
  async ({ engine, target }) => {
    if (target.lacks.freezer !== undefined) tellUnjudged('pause and unpause were', target.lacks.freezer);
    const container = await makeContainer(engine, { network: 'any' });
    await expectAgreement(engine, container, 'create');
    for (const [name, operate] of operationsOn(target, container)) {
      await given(operate(), 204);
      await expectAgreement(engine, container, name);
    }
  },
);

/** The state that a container is in after an event of this kind. */
const stateAfter: Readonly<Record<string, string>> = {
  create: 'created',
  start: 'running',
  restart: 'running',
  unpause: 'running',
  pause: 'paused',
  die: 'exited',
};

/** Looked at once for all versions, as the order of events and states is a property of the daemon. */
const toldAndInspected = fixture(
  'events and inspect after each operation on a container',
  async ({ engine, target }) => {
    const listener = await listen(engine);
    const container = await makeContainer(engine, { network: 'any' });
    const disagreeing: string[] = [];
    const looks: Exchange[] = [];
    for (const [name, operate] of operationsOn(target, container)) {
      await given(operate(), 204);
      const inspect = await given(container.inspect(), 200);
      looks.push(inspect);
      const states = inspectedStates(inspect);
      const lastTold = () =>
        listener
          .about(container.id)
          .flatMap((event) => stateAfter[kindOf(event)] ?? [])
          .at(-1);
      const agrees = await listener.hears(() => states.includes(lastTold() ?? ''), 2_000);
      if (!agrees) disagreeing.push(name);
    }
    return { disagreeing, looks };
  },
  { allVersions: (made) => made },
);

check(
  'containers.inspect.events-agree',
  { long: true, looksAt: ['freezer'], faults: [] },
  async ({ use, target: { lacks } }) => {
    const { disagreeing, looks } = await use(toldAndInspected);
    const after = disagreeing.length === 0 ? 'no operation' : disagreeing.join(', ');
    const without =
      lacks.freezer === undefined ? '' : '; pause and unpause are not tried, as containers cannot be paused';
    observe(`after ${after} the last event tells another state than inspect${without}`, ...looks);
  },
);
