import fc from 'fast-check';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import {
  connect,
  disconnect,
  inspectNetwork,
  makeInSubnet,
  type Network,
  removeNetwork,
} from '../../../harness/engine/networks.ts';
import { on } from '../../../harness/faults/fault.ts';
import { swallows } from '../../../harness/faults/requests.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import type { StatedRuleId } from '../../../specs/stated.ts';
import { itemOf, listNetworks } from '../../networks/support/list-answers.ts';
import { type Came, checkMeeting, clients, inTurn, type Look, type Met, type Stage } from './support/meeting.ts';
import type { Done } from './support/orders.ts';
import type { Scene } from './support/scene.ts';

/** What two clients do to one network and a running container. */
type ConnectionOperation = 'connect' | 'disconnect' | 'remove';

interface ConnectionOutcome {
  readonly there: boolean;
  /** Whether the list agrees. */
  readonly listed: boolean;
  /**
   * Whether the container shows the network; what it shows of a network that was removed while in use is not stated.
   */
  readonly on: boolean;
  /** Whether the network shows the container. */
  readonly told: boolean;
}

const meetings = fc.oneof(
  { weight: 2, arbitrary: clients<ConnectionOperation>(['connect', 'disconnect']) },
  clients<ConnectionOperation>(['connect', 'disconnect', 'remove']),
);

checkMeeting<Props, boolean, ConnectionOperation, ConnectionOutcome>('generated.models.parallel-networks', {
  faults: [
    on('POST /networks/{id}/connect', swallows(200)),
    on('POST /networks/{id}/disconnect', swallows(200)),
    on('DELETE /networks/{id}', swallows(204)),
  ],
  runs: 3,
  values: () => inTurn(fc.record({ setup: fc.boolean(), pair: meetings }), 3),
  prepare,
  begin,
  words: (operation) => (operation === 'remove' ? 'removes m' : `${operation}s a`),
  after: () => after,
  ruleAgainst,
});

interface Props {
  readonly container: Container;
  readonly network: Network;
}

async function prepare({ engine, trial }: Scene): Promise<Props> {
  trial.step('makes the container a, which is running, and the network m');
  const container = await makeContainer(engine, { state: 'running', network: 'own' });
  return { container, network: await makeInSubnet(engine) };
}

async function begin(
  { setup: isOn }: Met<boolean, ConnectionOperation>,
  scene: Scene,
  { container, network }: Props,
  before: Came<ConnectionOutcome> | undefined,
): Promise<Stage<ConnectionOperation, ConnectionOutcome> | undefined> {
  if (before && !(before.certain && before.outcome.there)) return undefined;
  const { engine, trial } = scene;
  if (isOn !== (before?.outcome.on ?? false)) {
    trial.step(isOn ? 'connects a to m' : 'disconnects a from m');
    await given((isOn ? connect : disconnect)(engine, network.id, container.id), 200);
  }
  return {
    first: { there: true, listed: true, on: isOn, told: isOn },
    send: (operation) => send(operation, network, container, scene),
    look: () => look(network, container, scene),
  };
}

function send(
  operation: ConnectionOperation,
  { id }: Network,
  container: Container,
  { engine }: Scene,
): Promise<Exchange> {
  switch (operation) {
    case 'connect':
      return connect(engine, id, container.id);
    case 'disconnect':
      return disconnect(engine, id, container.id);
    case 'remove':
      return removeNetwork(engine, id);
  }
}

/** Once the network is gone, there is nothing to connect to. */
function after(outcome: ConnectionOutcome, { operation }: Done<ConnectionOperation>): ConnectionOutcome | undefined {
  switch (operation) {
    case 'connect':
      return outcome.there ? { ...outcome, on: true, told: true } : undefined;
    case 'disconnect':
      return { ...outcome, on: false, told: false };
    case 'remove':
      return { there: false, listed: false, on: false, told: false };
  }
}

async function look(network: Network, container: Container, { engine }: Scene): Promise<Look<ConnectionOutcome>> {
  const inspect = await inspectNetwork(engine, network.id);
  const list = await listNetworks(engine);
  const own = await container.inspect();
  const isThere = inspect.status === 200;
  const membersOf = (json: JsonValue | undefined) => (isObject(json) ? Object.keys(json) : []);
  const outcome: ConnectionOutcome = {
    there: isThere,
    listed: itemOf(list, network) !== undefined,
    on: isThere && membersOf(valuesAt(own.json, 'NetworkSettings.Networks')[0]).includes(network.name),
    told: isThere && membersOf(valuesAt(inspect.json, 'Containers')[0]).includes(container.id),
  };
  return { outcome, evidence: [inspect, list, own] };
}

function ruleAgainst(outcomes: readonly ConnectionOutcome[], seen: ConnectionOutcome): StatedRuleId {
  if (outcomes.length === 0) return 'networks.connect.unknown-answers-404';
  if (!outcomes.some(({ there, listed }) => there === seen.there && listed === seen.listed)) {
    return seen.there && !seen.listed ? 'networks.list.every-network' : 'networks.remove.network-gone';
  }
  const isOn = outcomes.some(({ on }) => on);
  return isOn && !(seen.on && seen.told) ? 'networks.connect.connected' : 'networks.disconnect.disconnected';
}
