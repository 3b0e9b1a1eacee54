import { api, begins, doc, eases, ends, type LaterSection, noRule, rel } from './row.ts';

/** Volumes and networks (Document 4, section 8). */
export const volumeAndNetworkRows: LaterSection = {
  heading: 'Volumes and networks',
  line: 236,
  rows: [
    rel(240, 'volumes.list.filters', noRule('the release switches it, so that a daemon may know the input or not')),
    rel(
      241,
      'volumes.fields.new',
      eases('volumes.*.field.Labels', 'volumes.list.field.Volumes[].Labels', 'volumes.list.field.Warnings'),
    ),
    rel(242, 'volumes.create.status', noRule('what an unknown driver and a used name get is observed')),
    rel(243, 'volumes.create.body', noRule('no rule creates without a body')),
    rel(244, 'volumes.remove.force', noRule('the release switches it, so that a daemon may know the input or not')),
    api(
      245,
      'networks.list.containers',
      '1.28',
      ends('networks.list.field.Containers*'),
      begins('networks.list.containers-empty'),
    ),
    rel(246, 'networks.list.filters', noRule('the release switches it, so that a daemon may know the input or not')),
    rel(247, 'networks.fields.new', noRule('answers are open, so a further member is no deviation')),
    rel(248, 'networks.ipam.auxaddress', noRule('what AuxAddress does is observed')),
    api(249, 'networks.inspect.query', '1.28', noRule('the sheet names the input and does not say what it does')),
    doc(250, 'networks.inspect.status', noRule('a server error is carried forward')),
    rel(
      251,
      'networks.create.duplicate',
      noRule('what is refused only with CheckDuplicate is refused still, and without it is observed'),
    ),
    rel(252, 'networks.create.status', noRule('no rule says that this status does not occur')),
    rel(
      253,
      'networks.create.fields.new',
      noRule('the release switches it, so that a daemon may know the input or not'),
    ),
    rel(254, 'networks.connect.status', eases('networks.connect.again')),
    api(255, 'networks.connect.fields.new', '1.24', noRule('the sheet names the input and does not say what it does')),
    rel(256, 'networks.disconnect.status', noRule('no rule says that this status does not occur')),
    doc(257, 'networks.remove.status.403', noRule('daemons go on to send it')),
    rel(258, 'networks.names.precedence', noRule('no rule names a network as another is identified')),
  ],
};
