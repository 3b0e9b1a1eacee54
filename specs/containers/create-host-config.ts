import { running } from '../common-rules.ts';
import { wholeSection } from '../document-rows/row.ts';
import type { Endpoint } from '../endpoint.ts';
import { type RuleData, rules } from '../rule.ts';

const networked = ['containers-run', 'networking'] as const;

/** A driver that a container may be created with; whether it can log with it is up to the host. */
function logDriver<const Type extends string>(type: Type) {
  return { kind: 'field', says: `accepts the logging driver ${type}` } as const satisfies RuleData;
}

/** What the other fields of HostConfig do, besides being accepted (Document 1, HostConfig). */
export function createHostConfigRules(endpoint: Endpoint) {
  return rules(
    'containers.create.host-config',
    { endpoint, source: [1, 'HostConfig'] },
    {
      'pid-mode-empty': {
        kind: 'field',
        says: 'gives the container its own process ids when PidMode is empty',
        row: 'PidMode',
        needs: running,
      },
      'pid-mode-container': {
        kind: 'field',
        says: 'lets the container share the process ids of another with PidMode container:<name or id>',
        row: 'PidMode',
        needs: running,
      },
      'pid-mode-host': {
        kind: 'field',
        says: 'lets the container share the process ids of the host with PidMode host',
        row: 'PidMode',
        needs: running,
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
      dns: {
        kind: 'field',
        says: 'makes the container use the name servers in Dns',
        row: 'Dns',
        level: 'should',
        interpretations: ['resolver-files'],
        needs: networked,
      },
      'cap-add': {
        kind: 'field',
        says: 'gives the container the capabilities in CapAdd',
        row: 'CapAdd, CapDrop',
        needs: running,
      },
      'cap-drop': {
        kind: 'field',
        says: 'removes the capabilities in CapDrop from the container',
        row: 'CapAdd, CapDrop',
        needs: running,
      },
      'group-add': {
        kind: 'field',
        says: 'puts the process into the groups in GroupAdd',
        row: 'GroupAdd',
        needs: running,
      },
      'restart-empty': {
        kind: 'state',
        says: 'does not restart a container with an empty restart policy',
        row: 'RestartPolicy',
        needs: running,
      },
      'restart-always': {
        kind: 'state',
        says: 'restarts a container with the policy always whatever its exit code',
        row: 'RestartPolicy',
        needs: running,
      },
      'restart-on-failure': {
        kind: 'state',
        says: 'restarts a container with the policy on-failure when its exit code is not 0',
        row: 'RestartPolicy',
        needs: running,
      },
      'restart-on-failure-success': {
        kind: 'state',
        says: 'does not restart a container with the policy on-failure when its exit code is 0',
        row: 'RestartPolicy',
        needs: running,
      },
      'restart-maximum': {
        kind: 'state',
        says: 'restarts a container with the policy on-failure no more than MaximumRetryCount times',
        row: 'RestartPolicy',
        needs: running,
      },
      'restart-unless-stopped': {
        kind: 'state',
        says: 'restarts a container with the policy unless-stopped whatever its exit code',
        row: 'RestartPolicy',
        since: '1.21',
        needs: running,
      },
      'restart-unless-stopped-stopped': {
        kind: 'state',
        says: 'does not restart a container with the policy unless-stopped that was stopped by a request',
        row: 'RestartPolicy',
        since: '1.21',
        needs: running,
      },
      'restart-unknown-refused': {
        kind: 'field',
        says: 'refuses a restart policy that does not exist, at create or at start',
        row: 'RestartPolicy',
        level: 'should',
        interpretations: ['unknown-restart-policy', 'bad-parameter'],
      },
      'restart-delay-doubles': {
        kind: 'limit',
        says: 'doubles the delay before each restart, from 100 ms on',
        source: [1, 'States and transitions'],
        row: 'restart policy',
        needs: running,
      },
      'userns-host': {
        kind: 'field',
        says: 'uses the user namespace of the host with UsernsMode host',
        row: 'UsernsMode',
        since: '1.23',
        unchecked: 'it applies only to daemons that remap user namespaces, which no answer shows',
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
      'auto-remove-ignored': {
        kind: 'field',
        says: 'keeps the container when it exits, whatever AutoRemove is',
        source: [4, 'Containers'],
        since: '1.24',
        until: '1.24',
        needs: running,
      },
      'kernel-memory-ignored': {
        kind: 'field',
        says: 'ignores KernelMemory, whatever its value',
        source: [4, 'Containers'],
        since: '1.42',
      },
      'ipc-mode-shareable': {
        kind: 'field',
        says: 'gives a container that asks for no IpcMode the mode shareable',
        source: [4, 'Containers'],
        since: '1.24',
        until: '1.39',
      },
      'ipc-mode-default': {
        kind: 'field',
        says: 'gives a container that asks for no IpcMode the mode private',
        source: [4, 'Containers'],
        since: '1.40',
      },
      ulimits: { kind: 'field', says: 'sets the limits in Ulimits for the process', row: 'Ulimits', needs: running },
      'log-driver-json-file': { ...logDriver('json-file'), row: 'LogConfig' },
      'log-driver-syslog': { ...logDriver('syslog'), row: 'LogConfig' },
      'log-driver-journald': { ...logDriver('journald'), row: 'LogConfig', needs: ['journald'] },
      'log-driver-gelf': { ...logDriver('gelf'), row: 'LogConfig' },
      'log-driver-none': { ...logDriver('none'), row: 'LogConfig' },
      'log-driver-cloudlogs': { ...logDriver('cloudlogs'), row: 'LogConfig', since: '1.21' },
      'log-driver-fluentd': { ...logDriver('fluentd'), row: 'LogConfig', since: '1.23' },
      'log-driver-searchlogs': { ...logDriver('searchlogs'), row: 'LogConfig', since: '1.23' },
      'log-driver-etwlogs': {
        ...logDriver('etwlogs'),
        row: 'LogConfig',
        since: '1.23',
        unchecked: 'it is for daemons that are not Unix, which the suite does not run on',
      },
      'log-driver-unknown-refused': {
        kind: 'field',
        says: 'refuses a logging driver that does not exist, at create or at start',
        row: 'LogConfig',
        level: 'should',
        interpretations: ['unknown-log-driver', 'bad-parameter'],
      },
      'rate-text': {
        kind: 'observe',
        says: 'whether it accepts a Rate that is a string',
        row: wholeSection,
        since: '1.23',
      },
      'cgroup-parent-absolute': {
        kind: 'field',
        says: 'accepts an absolute path in CgroupParent',
        row: 'CgroupParent',
        interpretations: ['host-limits'],
        needs: running,
      },
      'cgroup-parent-relative': {
        kind: 'field',
        says: 'resolves a relative CgroupParent from the cgroup of the init process',
        row: 'CgroupParent',
        interpretations: ['host-limits'],
        needs: running,
      },
      'cgroup-parent-created': {
        kind: 'field',
        says: 'creates the cgroup in CgroupParent if it does not exist',
        row: 'CgroupParent',
        interpretations: ['host-limits'],
        needs: running,
      },
      'lxc-conf': {
        kind: 'field',
        says: 'accepts LxcConf',
        row: 'LxcConf',
        until: '1.21',
        interpretations: ['lxc-conf'],
      },
      'lxc-conf-ignored': {
        kind: 'field',
        says: 'applies LxcConf only with the lxc execution driver',
        row: 'LxcConf',
        until: '1.21',
        interpretations: ['lxc-conf'],
        needs: running,
      },
    },
  );
}
