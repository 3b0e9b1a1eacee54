import { running } from '../common-rules.ts';
import type { Endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';

const networked = ['containers-run', 'networking'] as const;

/** What fields of HostConfig about ports, names and networks do, besides being accepted (Document 1, HostConfig). */
export function createNetworkingRules(endpoint: Endpoint) {
  return rules(
    'containers.create.host-config',
    { endpoint, source: [1, 'HostConfig'] },
    {
      links: {
        kind: 'field',
        says: 'lets the container find another container by its alias in Links',
        row: 'Links',
        level: 'should',
        interpretations: ['link-lookup'],
        needs: networked,
      },
      'port-published': {
        kind: 'field',
        says: 'publishes a port of the container on the HostPort in PortBindings',
        row: 'PortBindings',
        needs: networked,
      },
      'port-udp': {
        kind: 'field',
        says: 'publishes a UDP port of the container',
        row: 'PortBindings',
        needs: networked,
      },
      'port-several': {
        kind: 'field',
        says: 'publishes a port of the container on each HostPort in its list in PortBindings',
        row: 'PortBindings',
        needs: networked,
      },
      'port-integer-refused': {
        kind: 'field',
        says: 'refuses a HostPort that is an integer',
        row: 'PortBindings',
        level: 'should',
        interpretations: ['wrong-types', 'bad-parameter'],
      },
      'publish-all': {
        kind: 'field',
        says: 'publishes every exposed port on a port of the host when PublishAllPorts is true',
        row: 'PublishAllPorts',
        needs: networked,
      },
      'publish-all-default': {
        kind: 'field',
        says: 'publishes no exposed port when PublishAllPorts is not set',
        row: 'PublishAllPorts',
        needs: networked,
      },
      'dns-options': {
        kind: 'field',
        says: 'gives the container the resolver options in DnsOptions',
        row: 'DnsOptions',
        level: 'should',
        interpretations: ['resolver-files'],
        since: '1.21',
        needs: networked,
      },
      'dns-search': {
        kind: 'field',
        says: 'gives the container the search domains in DnsSearch',
        row: 'DnsSearch',
        level: 'should',
        interpretations: ['resolver-files'],
        needs: networked,
      },
      'extra-hosts': {
        kind: 'field',
        says: 'makes the hosts in ExtraHosts known in the container',
        row: 'ExtraHosts',
        level: 'should',
        interpretations: ['resolver-files'],
        needs: networked,
      },
      'network-bridge': {
        kind: 'field',
        says: 'joins the default network with NetworkMode bridge',
        row: 'NetworkMode',
        interpretations: ['interface-names'],
        needs: networked,
      },
      'network-bridge-named': {
        kind: 'field',
        says: 'puts the container on the pre-defined network bridge, and no other, with NetworkMode bridge',
        row: 'NetworkMode',
        since: '1.21',
        needs: networked,
      },
      'network-host': {
        kind: 'field',
        says: 'shares the network of the host with NetworkMode host',
        row: 'NetworkMode',
        interpretations: ['interface-names'],
        needs: running,
      },
      'network-none': {
        kind: 'field',
        says: 'gives no network with NetworkMode none',
        row: 'NetworkMode',
        interpretations: ['interface-names'],
        needs: running,
      },
      'network-container': {
        kind: 'field',
        says: 'shares the network of another container with NetworkMode container:<name or id>',
        row: 'NetworkMode',
        needs: networked,
      },
      'network-custom': {
        kind: 'field',
        says: 'joins the network that is named in NetworkMode',
        row: 'NetworkMode',
        since: '1.21',
        needs: networked,
      },
    },
  );
}
