import { running } from '../common-rules.ts';
import type { Endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';

/** What fields of the container configuration do, besides being accepted (Document 1, Container configuration). */
export function createConfigRules(endpoint: Endpoint) {
  return rules(
    'containers.create.config',
    { endpoint, source: [1, 'Container configuration'] },
    {
      hostname: {
        kind: 'field',
        says: 'gives the container the hostname in Hostname',
        row: 'Hostname',
        needs: running,
      },
      domainname: {
        kind: 'field',
        says: 'gives the container the domain name in Domainname',
        row: 'Domainname',
        level: 'should',
        interpretations: ['domain-name'],
        needs: running,
      },
      user: { kind: 'field', says: 'runs the process as the user in User', row: 'User', needs: running },
      tty: {
        kind: 'field',
        says: 'gives the process a terminal for its standard streams with Tty',
        row: 'Tty',
        needs: running,
      },
      'tty-stdin': {
        kind: 'field',
        says: 'has stdin on the terminal too when Tty and OpenStdin are true',
        row: 'Tty',
        needs: running,
      },
      'open-stdin': {
        kind: 'field',
        says: 'keeps stdin of the process open with OpenStdin',
        row: 'OpenStdin',
        needs: running,
      },
      'open-stdin-default': {
        kind: 'field',
        says: 'gives the process no input when OpenStdin is not set: it reads the end of file at once',
        row: 'OpenStdin',
        needs: running,
      },
      'stdin-once': {
        kind: 'field',
        says: 'closes stdin of the process when the one attached client leaves, with StdinOnce',
        row: 'StdinOnce',
        needs: running,
      },
      env: { kind: 'field', says: 'gives the process the variables in Env', row: 'Env', needs: running },
      'cmd-string': { kind: 'field', says: 'runs a Cmd that is a string', row: 'Cmd', needs: running },
      'string-split': {
        kind: 'observe',
        says: 'whether it splits a Cmd that is a string, runs it in a shell, or treats it as one word',
        row: 'Cmd',
        needs: running,
      },
      'cmd-list': { kind: 'field', says: 'runs a Cmd that is a list of strings', row: 'Cmd', needs: running },
      'entrypoint-string': {
        kind: 'field',
        says: 'runs an Entrypoint that is a string',
        row: 'Entrypoint',
        needs: running,
      },
      'entrypoint-list': {
        kind: 'field',
        says: 'runs an Entrypoint that is a list of strings',
        row: 'Entrypoint',
        needs: running,
      },
      'entrypoint-null': { kind: 'field', says: 'treats an Entrypoint that is null as unset', row: 'Entrypoint' },
      'entrypoint-empty': {
        kind: 'field',
        says: 'treats an Entrypoint that is an empty string as unset',
        row: 'Entrypoint',
      },
      image: { kind: 'field', says: 'makes the container from the image that is named in Image', row: 'Image' },
      volumes: { kind: 'field', says: 'mounts something at each path in Volumes', row: 'Volumes', needs: running },
      'working-dir': {
        kind: 'field',
        says: 'runs the process in the directory in WorkingDir',
        row: 'WorkingDir',
        needs: running,
      },
      'network-disabled': {
        kind: 'field',
        says: 'gives the container no network when NetworkDisabled is true',
        row: 'NetworkDisabled',
        interpretations: ['interface-names'],
        needs: running,
      },
      'mac-address': {
        kind: 'field',
        says: 'gives the container the address in MacAddress',
        row: 'MacAddress',
        interpretations: ['interface-names'],
        until: '1.51',
        needs: ['containers-run', 'networking'],
      },
      'exposed-port-tcp': {
        kind: 'field',
        says: 'accepts ports in the form <port>/tcp in ExposedPorts',
        row: 'ExposedPorts',
      },
      'exposed-port-udp': {
        kind: 'field',
        says: 'accepts ports in the form <port>/udp in ExposedPorts',
        row: 'ExposedPorts',
      },
      'stop-signal-string': {
        kind: 'field',
        says: 'stops the container with the signal that is named in StopSignal',
        row: 'StopSignal',
        since: '1.21',
        needs: running,
      },
      'stop-signal-integer': {
        until: '1.23',
        kind: 'field',
        says: 'stops the container with the signal whose number is in StopSignal',
        row: 'StopSignal',
        since: '1.21',
        needs: running,
      },
      'stop-signal-default': {
        kind: 'field',
        says: 'stops the container with SIGTERM when StopSignal is not set',
        row: 'StopSignal',
        since: '1.21',
        needs: running,
      },
      'network-aliases': {
        kind: 'field',
        says: 'gives the container the aliases of NetworkingConfig on the network',
        row: 'NetworkingConfig',
        since: '1.23',
        needs: ['containers-run', 'networking'],
      },
      'network-address': {
        kind: 'field',
        says: 'gives the container the IPv4Address of NetworkingConfig on the network',
        row: 'NetworkingConfig',
        since: '1.23',
        needs: ['containers-run', 'networking'],
      },
      'networks-several': {
        kind: 'field',
        says: 'puts the container on every network of NetworkingConfig',
        source: [4, 'Containers'],
        since: '1.44',
        needs: ['containers-run', 'networking'],
      },
    },
  );
}
