import { running } from '../common-rules.ts';
import type { Endpoint } from '../endpoint.ts';
import { type RuleData, rules } from '../rule.ts';

const networked = ['containers-run', 'networking'] as const;

/** A driver that a container may be created with; whether it can log with it is up to the host. */
function logDriver<const Type extends string>(type: Type) {
  return { kind: 'field', says: `accepts the logging driver ${type}` } as const satisfies RuleData;
}

/** What fields of HostConfig do, besides being accepted (Document 1, HostConfig). */
export function createHostConfigRules(endpoint: Endpoint) {
  return rules(
    'containers.create.host-config',
    { endpoint, source: [1, 'HostConfig'] },
    {
      'bind-host-path': {
        kind: 'field',
        says: 'mounts a path of the host for <host path>:<container path> in Binds',
        needs: ['containers-run', 'host-paths'],
      },
      'bind-host-path-ro': {
        kind: 'field',
        says: 'mounts a path of the host read-only for <host path>:<container path>:ro in Binds',
        needs: ['containers-run', 'host-paths'],
      },
      'bind-volume': {
        kind: 'field',
        says: 'mounts a volume for <volume name>:<container path> in Binds',
        since: '1.21',
        needs: running,
      },
      'bind-volume-ro': {
        kind: 'field',
        says: 'mounts a volume read-only for <volume name>:<container path>:ro in Binds',
        since: '1.21',
        needs: running,
      },
      'bind-relative-refused': {
        kind: 'field',
        says: 'refuses a container path that is not absolute in Binds',
        interpretations: ['bad-parameter'],
      },
      'bind-relative-host-refused': {
        kind: 'field',
        says: 'refuses a host path that begins with ./ or ../ in Binds',
        until: '1.20',
        interpretations: ['bad-parameter'],
      },
      'bind-relative-source-refused': {
        kind: 'field',
        says: 'refuses a source that begins with ./ or ../ in Binds, as it is neither an absolute path nor the name of a volume',
        since: '1.21',
        level: 'should',
        interpretations: ['volume-names', 'bad-parameter'],
      },
      tmpfs: {
        kind: 'field',
        says: 'mounts a tmpfs with the given options at each directory in Tmpfs',
        row: 'Tmpfs',
        since: '1.23',
        needs: running,
      },
      links: {
        kind: 'field',
        says: 'lets the container find another container by its alias in Links',
        row: 'Links',
        level: 'should',
        interpretations: ['link-lookup'],
        needs: networked,
      },
      memory: { kind: 'field', says: 'limits the memory of the container to Memory', row: 'Memory', needs: running },
      'memory-swap': {
        kind: 'field',
        says: 'limits memory plus swap of the container to MemorySwap',
        row: 'MemorySwap',
        needs: running,
      },
      'memory-reservation': {
        kind: 'field',
        says: 'sets the soft memory limit of the container to MemoryReservation',
        row: 'MemoryReservation',
        level: 'should',
        interpretations: ['soft-limit'],
        since: '1.21',
        needs: running,
      },
      'cpu-shares': {
        kind: 'field',
        says: 'gives the container with more CpuShares more weight for the CPU',
        row: 'CpuShares',
        needs: running,
      },
      'cpu-period': {
        kind: 'field',
        says: 'measures the CPU time of the container by CpuPeriod',
        row: 'CpuPeriod',
        needs: running,
      },
      'cpu-quota': {
        kind: 'field',
        says: 'limits the CPU time of the container to CpuQuota',
        row: 'CpuQuota',
        needs: running,
      },
      'cpuset-cpus': { kind: 'field', says: 'keeps the container to the CPUs in CpusetCpus', needs: running },
      'cpuset-range': { kind: 'field', says: 'accepts a range of CPUs in CpusetCpus' },
      'cpuset-list': { kind: 'field', says: 'accepts a list of CPUs in CpusetCpus' },
      'oom-score-adj': {
        kind: 'field',
        says: 'gives the process the OOM score adjustment in OomScoreAdj',
        row: 'OomScoreAdj',
        since: '1.23',
        needs: running,
      },
      'pids-limit': {
        kind: 'field',
        says: 'limits the processes of the container to PidsLimit',
        since: '1.23',
        needs: running,
      },
      'pids-limit-unlimited': {
        kind: 'field',
        says: 'sets no limit for the processes of the container with a PidsLimit of -1',
        since: '1.23',
        needs: running,
      },
      'pid-mode-empty': {
        kind: 'field',
        says: 'gives the container its own process ids when PidMode is empty',
        needs: running,
      },
      'pid-mode-container': {
        kind: 'field',
        says: 'lets the container share the process ids of another with PidMode container:<name or id>',
        needs: running,
      },
      'pid-mode-host': {
        kind: 'field',
        says: 'lets the container share the process ids of the host with PidMode host',
        needs: running,
      },
      'port-published': {
        kind: 'field',
        says: 'publishes a port of the container on the HostPort in PortBindings',
        needs: networked,
      },
      'port-udp': { kind: 'field', says: 'publishes a UDP port of the container', needs: networked },
      'port-integer-refused': {
        kind: 'field',
        says: 'refuses a HostPort that is an integer',
        level: 'should',
        interpretations: ['wrong-types', 'bad-parameter'],
      },
      'publish-all': {
        kind: 'field',
        says: 'publishes every exposed port on a port of the host when PublishAllPorts is true',
        needs: networked,
      },
      'publish-all-default': {
        kind: 'field',
        says: 'publishes no exposed port when PublishAllPorts is not set',
        needs: networked,
      },
      privileged: {
        kind: 'field',
        says: 'gives the container every capability that CapAdd can give when Privileged is true',
        row: 'Privileged',
        needs: ['containers-run', 'privileged'],
      },
      'readonly-rootfs': {
        kind: 'field',
        says: 'keeps the container from writing to its root file system when ReadonlyRootfs is true',
        row: 'ReadonlyRootfs',
        needs: running,
      },
      dns: { kind: 'field', says: 'makes the container use the name servers in Dns', row: 'Dns', needs: networked },
      'dns-options': {
        kind: 'field',
        says: 'gives the container the resolver options in DnsOptions',
        row: 'DnsOptions',
        since: '1.21',
        needs: networked,
      },
      'dns-search': {
        kind: 'field',
        says: 'gives the container the search domains in DnsSearch',
        row: 'DnsSearch',
        needs: networked,
      },
      'extra-hosts': {
        kind: 'field',
        says: 'makes the hosts in ExtraHosts known in the container',
        row: 'ExtraHosts',
        needs: networked,
      },
      'volumes-from': {
        kind: 'field',
        says: 'mounts the volumes of the container that is named in VolumesFrom',
        needs: running,
      },
      'volumes-from-ro': {
        kind: 'field',
        says: 'mounts the volumes read-only for <container name>:ro in VolumesFrom',
        needs: running,
      },
      'volumes-from-rw': {
        kind: 'field',
        says: 'mounts the volumes for reading and writing for <container name>:rw in VolumesFrom',
        needs: running,
      },
      'cap-add': { kind: 'field', says: 'gives the container the capabilities in CapAdd', needs: running },
      'cap-drop': { kind: 'field', says: 'removes the capabilities in CapDrop from the container', needs: running },
      'group-add': {
        kind: 'field',
        says: 'puts the process into the groups in GroupAdd',
        row: 'GroupAdd',
        needs: running,
      },
      'restart-empty': {
        kind: 'state',
        says: 'does not restart a container with an empty restart policy',
        needs: running,
      },
      'restart-always': {
        kind: 'state',
        says: 'restarts a container with the policy always whatever its exit code',
        needs: running,
      },
      'restart-on-failure': {
        kind: 'state',
        says: 'restarts a container with the policy on-failure when its exit code is not 0',
        needs: running,
      },
      'restart-on-failure-success': {
        kind: 'state',
        says: 'does not restart a container with the policy on-failure when its exit code is 0',
        needs: running,
      },
      'restart-maximum': {
        kind: 'state',
        says: 'restarts a container with the policy on-failure no more than MaximumRetryCount times',
        needs: running,
      },
      'restart-unless-stopped': {
        kind: 'state',
        says: 'restarts a container with the policy unless-stopped whatever its exit code',
        since: '1.21',
        needs: running,
      },
      'restart-unless-stopped-stopped': {
        kind: 'state',
        says: 'does not restart a container with the policy unless-stopped that was stopped by a request',
        since: '1.21',
        needs: running,
      },
      'restart-delay-doubles': {
        kind: 'limit',
        says: 'doubles the delay before each restart, from 100 ms on',
        source: [1, 'States and transitions'],
        needs: running,
      },
      'userns-host': {
        kind: 'field',
        says: 'uses the user namespace of the host with UsernsMode host',
        row: 'UsernsMode',
        since: '1.23',
        unchecked: 'it applies only to daemons that remap user namespaces, which no answer shows',
      },
      'network-bridge': {
        kind: 'field',
        says: 'joins the default network with NetworkMode bridge',
        interpretations: ['interface-names'],
        needs: networked,
      },
      'network-bridge-named': {
        kind: 'field',
        says: 'puts the container on the pre-defined network bridge, and no other, with NetworkMode bridge',
        since: '1.21',
        needs: networked,
      },
      'network-host': {
        kind: 'field',
        says: 'shares the network of the host with NetworkMode host',
        interpretations: ['interface-names'],
        needs: running,
      },
      'network-none': {
        kind: 'field',
        says: 'gives no network with NetworkMode none',
        interpretations: ['interface-names'],
        needs: running,
      },
      'network-container': {
        kind: 'field',
        says: 'shares the network of another container with NetworkMode container:<name or id>',
        needs: networked,
      },
      'network-custom': {
        kind: 'field',
        says: 'joins the network that is named in NetworkMode',
        since: '1.21',
        needs: networked,
      },
      devices: {
        kind: 'field',
        says: 'gives the container the devices in Devices at the paths asked for',
        row: 'Devices',
        needs: running,
      },
      'auto-remove': {
        kind: 'field',
        says: 'removes the container when it exits where AutoRemove is true',
        source: [4, 'Containers'],
        since: '1.25',
        needs: running,
      },
      'ipc-mode-default': {
        kind: 'field',
        says: 'gives a container that asks for no IpcMode the mode private',
        source: [4, 'Containers'],
        since: '1.40',
      },
      ulimits: { kind: 'field', says: 'sets the limits in Ulimits for the process', row: 'Ulimits', needs: running },
      'log-driver-json-file': logDriver('json-file'),
      'log-driver-syslog': logDriver('syslog'),
      'log-driver-journald': { ...logDriver('journald'), needs: ['journald'] },
      'log-driver-gelf': logDriver('gelf'),
      'log-driver-none': logDriver('none'),
      'log-driver-cloudlogs': { ...logDriver('cloudlogs'), since: '1.21' },
      'log-driver-fluentd': { ...logDriver('fluentd'), since: '1.23' },
      'log-driver-searchlogs': { ...logDriver('searchlogs'), since: '1.23' },
      'log-driver-etwlogs': {
        ...logDriver('etwlogs'),
        since: '1.23',
        unchecked: 'it is for daemons that are not Unix, which the suite does not run on',
      },
      'log-driver-unknown-refused': {
        kind: 'field',
        says: 'refuses a logging driver that does not exist, at create or at start',
        level: 'should',
        interpretations: ['unknown-log-driver', 'bad-parameter'],
      },
      'rate-text': { kind: 'observe', says: 'whether it accepts a Rate that is a string', since: '1.23' },
      'cgroup-parent-absolute': { kind: 'field', says: 'accepts an absolute path in CgroupParent', needs: running },
      'cgroup-parent-relative': {
        kind: 'field',
        says: 'resolves a relative CgroupParent from the cgroup of the init process',
        needs: running,
      },
      'cgroup-parent-created': {
        kind: 'field',
        says: 'creates the cgroup in CgroupParent if it does not exist',
        needs: running,
      },
      'volume-driver': {
        kind: 'field',
        says: 'mounts volumes with the driver in VolumeDriver',
        row: 'VolumeDriver',
        since: '1.21',
        needs: running,
      },
      'lxc-conf': {
        kind: 'field',
        says: 'accepts LxcConf',
        until: '1.21',
        interpretations: ['lxc-conf'],
      },
      'lxc-conf-ignored': {
        kind: 'field',
        says: 'applies LxcConf only with the lxc execution driver',
        until: '1.21',
        interpretations: ['lxc-conf'],
        needs: running,
      },
    },
  );
}
