import type { ApiVersion } from '../../../specs/versions.ts';
import { atLeast } from '../../../specs/versions.ts';
import { ago, seconds, timestamp } from '../../clock.ts';
import { wireImageId } from '../../images/shapes.ts';
import type { Endpoint } from '../../networks/store.ts';
import { changedSize, treeSize } from '../../process/file-system.ts';
import type { Container } from '../container.ts';
import { shapeMount } from '../mounts/mount-points.ts';
import { shapeConfig } from '../settings/config.ts';
import { shapeHostConfig } from '../settings/host-config.ts';
import type { EndpointConfig } from '../settings/networking-config.ts';

const directory = '/var/lib/engine/containers';

/** The size of a container's changes, and its total size. */
export function sizes(container: Container): { SizeRw: number; SizeRootFs: number } {
  return {
    SizeRw: changedSize(container.root.root, container.base),
    SizeRootFs: treeSize(container.root.root),
  };
}

/**
 * An endpoint settings object; NetworkID since 1.23. Without an endpoint it shows what was requested for the network.
 */
function shapeEndpoint(asked: EndpointConfig | undefined, endpoint: Endpoint | undefined, api: ApiVersion): object {
  const { address = '', address6 = '', network } = endpoint ?? {};
  return {
    IPAMConfig: asked?.ipam ?? {},
    Links: asked?.links ?? [],
    ...(atLeast(api, '1.23') ? { NetworkID: network?.id ?? '' } : {}),
    EndpointID: endpoint?.endpointId ?? '',
    Gateway: network?.subnet?.gateway ?? '',
    IPAddress: address,
    IPPrefixLen: address ? (network?.subnet?.length ?? 0) : 0,
    IPv6Gateway: network?.subnet6?.gateway ?? '',
    GlobalIPv6Address: address6,
    GlobalIPv6PrefixLen: address6 ? (network?.subnet6?.length ?? 0) : 0,
    MacAddress: endpoint?.mac ?? '',
  };
}

/** The names of a container's networks with its endpoints there, which are empty unless it is running. */
function shapeNetworks(container: Container, api: ApiVersion): Record<string, object> {
  const { memberships, endpoints } = container;
  const items = [...memberships].map(([name, asked]) => {
    const endpoint = endpoints.find(({ network }) => network.name === name);
    const shape = shapeEndpoint(asked, endpoint, api);
    // Up to 1.44 a container is also known by its identifier (Document 4).
    const knownAs = endpoint?.network.predefined === false && !atLeast(api, '1.45') ? [container.id.slice(0, 12)] : [];
    return [name, { ...shape, Aliases: [...(asked?.aliases ?? []), ...knownAs] }] as const;
  });
  return Object.fromEntries(items);
}

function shapeNetworkSettings(container: Container, api: ApiVersion): object {
  const endpoint = container.endpoints.find(({ network }) => network.name === 'bridge');
  const address = endpoint?.address ?? '';
  // Since 1.52 only the networks have addresses (Document 4).
  const flat = atLeast(api, '1.52')
    ? {}
    : {
        Gateway: address ? (endpoint?.network.subnet?.gateway ?? '') : '',
        IPAddress: address,
        IPPrefixLen: address ? (endpoint?.network.subnet?.length ?? 0) : 0,
        MacAddress: endpoint?.mac ?? '',
      };
  const common = { ...flat, ...(atLeast(api, '1.52') ? {} : { Bridge: '' }), Ports: container.ports };
  if (!atLeast(api, '1.21')) return { ...common, PortMapping: null };
  const sandbox = container.process ? container.id : '';
  const flat21 = {
    HairpinMode: false,
    LinkLocalIPv6Address: '',
    LinkLocalIPv6PrefixLen: 0,
    SecondaryIPAddresses: [],
    SecondaryIPv6Addresses: [],
    EndpointID: endpoint?.endpointId ?? '',
    GlobalIPv6Address: endpoint?.address6 ?? '',
    GlobalIPv6PrefixLen: endpoint?.address6 ? (endpoint.network.subnet6?.length ?? 0) : 0,
    IPv6Gateway: endpoint?.network.subnet6?.gateway ?? '',
  };
  return {
    ...common,
    ...(atLeast(api, '1.52') ? {} : flat21),
    SandboxID: sandbox,
    SandboxKey: sandbox ? `/var/run/engine/netns/${sandbox.slice(0, 12)}` : '',
    Networks: shapeNetworks(container, api),
  };
}

function shapeState({ state, status }: Container, api: ApiVersion): object {
  return {
    ...(atLeast(api, '1.21') ? { Status: status } : {}),
    Running: state.running,
    Paused: state.paused,
    Restarting: state.restarting,
    OOMKilled: state.oomKilled,
    ...(atLeast(api, '1.23') ? { Dead: false } : {}),
    Pid: state.pid,
    ExitCode: state.exitCode,
    Error: state.error,
    StartedAt: timestamp(state.startedAt),
    FinishedAt: timestamp(state.finishedAt),
  };
}

/** The container inspect object without sizes (Document 1). */
export function containerInspect(container: Container, api: ApiVersion): object {
  const { id, command, hostConfig, config } = container;
  return {
    Id: id,
    Created: timestamp(container.created),
    Path: command[0] ?? '',
    Args: command.slice(1),
    State: shapeState(container, api),
    Image: wireImageId(container.image.id, api),
    ResolvConfPath: `${directory}/${id}/resolv.conf`,
    HostnamePath: `${directory}/${id}/hostname`,
    HostsPath: `${directory}/${id}/hosts`,
    LogPath: hostConfig.LogConfig.Type === 'json-file' ? `${directory}/${id}/${id}-json.log` : '',
    Name: `/${container.name}`,
    RestartCount: container.restartCount,
    Driver: 'memory',
    ...(atLeast(api, '1.23') ? {} : { ExecDriver: 'simulated-0.1' }),
    MountLabel: '',
    ProcessLabel: '',
    AppArmorProfile: '',
    ExecIDs: container.execs.length > 0 ? container.execs.map((exec) => exec.id) : null,
    HostConfig: shapeHostConfig(hostConfig, api),
    Mounts: container.mounts.map((mount) => shapeMount(mount, api)),
    Config: shapeConfig(config, api),
    NetworkSettings: shapeNetworkSettings(container, api),
  };
}

/** Status of the container list: how long it has been running, or `Exit` with its code. */
function statusText({ state, status }: Container): string {
  switch (status) {
    case 'created':
      return 'Created';
    case 'restarting':
      return `Restarting (${state.exitCode}) ${ago(state.finishedAt ?? 0n)} ago`;
    case 'running':
      return `Up ${ago(state.startedAt ?? 0n)}`;
    case 'paused':
      return `Up ${ago(state.startedAt ?? 0n)} (Paused)`;
    case 'exited':
      return `Exit ${state.exitCode}`;
    case 'dead':
      return 'Dead';
  }
}

function listedPorts({ ports }: Container): object[] {
  return Object.entries(ports).flatMap(([port, bindings]): object[] => {
    const [number, Type] = port.split('/');
    const PrivatePort = Number(number);
    if (!bindings) return [{ PrivatePort, Type }];
    return bindings.map(({ HostIp, HostPort }) => ({ IP: HostIp, PrivatePort, PublicPort: Number(HostPort), Type }));
  });
}

/** The container list item (Document 1); `names` with a slash at the start. */
export function containerListItem(
  container: Container,
  { api, names, withSizes }: { api: ApiVersion; names: readonly string[]; withSizes: boolean },
): object {
  const newest = atLeast(api, '1.23')
    ? {
        State: container.status,
        HostConfig: { NetworkMode: container.hostConfig.NetworkMode },
        NetworkSettings: { Networks: shapeNetworks(container, api) },
        Mounts: container.mounts.map((mount) => shapeMount(mount, api)),
      }
    : {};
  return {
    Id: container.id,
    Names: names,
    Image: container.config.Image,
    ...(atLeast(api, '1.21') ? { ImageID: wireImageId(container.image.id, api) } : {}),
    Command: container.command.join(' '),
    Created: seconds(container.created),
    Status: statusText(container),
    Ports: listedPorts(container),
    Labels: container.config.Labels,
    ...(withSizes ? sizes(container) : {}),
    ...newest,
  };
}
