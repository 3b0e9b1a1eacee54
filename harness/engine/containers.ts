import { textMemberIn } from '../streams/json.ts';
import { Container } from './container.ts';
import type { Engine } from './engine.ts';
import type { Exchange } from './exchange.ts';
import { given } from './given.ts';

export type ContainerState = 'created' | 'running' | 'paused' | 'exited';

export interface ContainerOptions {
  /** Steps of the probe (docs/probe.md). Default: waits forever; for `exited`: ends at once. */
  readonly run?: readonly string[];
  /** The state it is brought into. Default `created`. */
  readonly state?: ContainerState;
  /** Further members of the container configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly hostConfig?: Readonly<Record<string, unknown>>;
  /**
   * `own`: it has a network of its own, because the check looks at it. `any`: where nothing is set that concerns its
   * network, it may share that of the host, as a network is most of the cost of a start. Default: `any`, but `own` in the
   * state `created`: a check that starts the container itself says `any`.
   */
  readonly network?: 'own' | 'any';
}

/** Members that have no meaning, or another one, without a network of its own. */
const ofNetwork = {
  config: ['Hostname', 'Domainname', 'MacAddress', 'ExposedPorts', 'NetworkDisabled', 'NetworkingConfig'],
  hostConfig: [
    'NetworkMode',
    'PortBindings',
    'PublishAllPorts',
    'Links',
    'Dns',
    'DnsOptions',
    'DnsSearch',
    'ExtraHosts',
  ],
} as const;

function takesHostNetwork({ target }: Engine, options: ContainerOptions): boolean {
  const { state = 'created', network = state === 'created' ? 'own' : 'any', config, hostConfig } = options;
  if (!target.sharesHostNetwork || network === 'own') return false;
  const has = (members: object | undefined, names: readonly string[]) => names.some((name) => name in (members ?? {}));
  return !has(config, ofNetwork.config) && !has(hostConfig, ofNetwork.hostConfig);
}

/** A create body with the probe image and the run's labels. */
export function createBody(engine: Engine, options: ContainerOptions = {}): Record<string, unknown> {
  const { Labels, ...config } = options.config ?? {};
  const { logsTo } = engine.target;
  const hostConfig = {
    ...(logsTo !== undefined && { LogConfig: { Type: logsTo, Config: {} } }),
    ...options.hostConfig,
    ...(takesHostNetwork(engine, options) && { NetworkMode: 'host' }),
  };
  return {
    Image: engine.sandbox.image,
    Cmd: options.run ?? (options.state === 'exited' ? ['exit', '0'] : ['forever']),
    Labels: { ...engine.sandbox.labels, ...(typeof Labels === 'object' && Labels) },
    ...config,
    ...((options.hostConfig || Object.keys(hostConfig).length > 0) && { HostConfig: hostConfig }),
  };
}

/**
 * Sends create and returns the exchange, to be judged. The container is removed when the check ends.
 * @param query `name` is a fresh one of the sandbox unless given; null leaves the name to the daemon
 */
export async function create(
  engine: Engine,
  body: unknown,
  query: { name?: string | null; platform?: string } = {},
): Promise<Exchange> {
  const { name = engine.name('container'), ...others } = query;
  const asked = name === null ? others : { name, ...others };
  const created = await engine.post('/containers/create', { json: body, query: asked });
  const id = created.status < 300 ? textMemberIn(created.text, 'Id') : undefined;
  if (id !== undefined) engine.made({ kind: 'container', name: name?.replace(/^\//, '') ?? id, id });
  return created;
}

/** Makes a container and brings it into its state. @throws Blocked when a step fails */
export async function makeContainer(engine: Engine, options: ContainerOptions = {}): Promise<Container> {
  const name = engine.name('container');
  const created = await given(create(engine, createBody(engine, options), { name }), 201);
  const container = new Container(engine, textMemberIn(created.text, 'Id') ?? name, name);
  const state = options.state ?? 'created';
  if (state === 'created') return container;
  await given(container.start(), 204);
  if (state === 'exited') await container.hasEnded();
  if (state === 'paused') await given(container.pause(), 204);
  return container;
}
