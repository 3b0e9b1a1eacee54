import { api, begins, doc, eases, ends, type LaterSection, noRule, rel } from './row.ts';

/** Volumes and networks (Document 4, section 8). */
export const volumeAndNetworkRows: LaterSection = {
  heading: 'Volumes and networks',
  rows: [
    rel('volumes.list.filters', noRule('the release switches it, so that a daemon may know the input or not')),
    rel(
      'volumes.fields.new',
      eases('volumes.*.field.Labels', 'volumes.list.field.Volumes[].Labels', 'volumes.list.field.Warnings'),
    ),
    rel('volumes.create.status', noRule('the answers to an unknown driver and to a used name are observed')),
    rel('volumes.create.body', noRule('no rule creates without a body')),
    rel('volumes.remove.force', noRule('the release switches it, so that a daemon may know the input or not')),
    api(
      'networks.list.containers',
      '1.28',
      ends('networks.list.field.Containers*', 'networks.list.containers'),
      begins('networks.list.containers-empty'),
    ),
    rel('networks.list.filters', noRule('the release switches it, so that a daemon may know the input or not')),
    rel('networks.fields.new', noRule('answers are open, so a further member is not a deviation')),
    rel('networks.ipam.auxaddress', noRule('what AuxAddress does is observed')),
    api('networks.inspect.query', '1.28', noRule('the row names the input and does not say what it does')),
    doc('networks.inspect.status', noRule('a server error is carried forward')),
    rel(
      'networks.create.duplicate',
      noRule('with CheckDuplicate it is still refused, and without it the answer is observed'),
    ),
    rel('networks.create.status', noRule('no rule says that this status does not occur')),
    rel('networks.create.fields.new', noRule('the release switches it, so that a daemon may know the input or not')),
    rel('networks.connect.status', eases('networks.connect.again')),
    api('networks.connect.fields.new', '1.24', noRule('the row names the input and does not say what it does')),
    rel('networks.disconnect.status', noRule('no rule says that this status does not occur')),
    doc('networks.remove.status.403', noRule('daemons still send it')),
    rel('networks.names.precedence', noRule('no rule gives a network a name that is the identifier of another')),
  ],
};
