import { properties } from './properties.ts';

const needs = ['hostile', 'containers-run'] as const;

/** The rules that show that a daemon is healthy. */
const health = [
  'system.ping.answers-200',
  'system.ping.body-OK',
  'containers.create.answers-201',
  'containers.start.answers-204',
  'containers.wait.exit-code',
] as const;

/** Clients that a daemon must survive. Its answers are left open, and only recorded. */
export const hostileProperties = properties('generated.hostile', {
  requests: {
    says: 'the daemon keeps working whatever requests and bodies come, however broken they are',
    source: [1, 'Errors'],
    needs,
    decides: health,
  },
  archives: {
    says: 'no archive writes or shows anything outside the place where it is unpacked, and the daemon keeps working',
    source: [2, 'Archive endpoints'],
    needs,
    decides: [
      'containers.archive-put.unpacks',
      'images.create.fromSrc-body',
      'images.load.image-there',
      'images.build.context.files',
      ...health,
    ],
  },
  drops: {
    says: 'the daemon keeps working wherever clients drop their connections',
    source: [1, 'Errors'],
    needs,
    decides: health,
  },
  transfers: {
    says: 'wherever clients drop a pull or a push, the image can be pulled, pushed and removed afterwards',
    source: [3, 'Create an image'],
    needs: [...needs, 'registry'],
    decides: [
      'images.create.pull-answers-200',
      'images.create.fromImage-pulls',
      'images.push.answers-200',
      'images.push.registry-in-name',
      'images.remove.answers-200',
      ...health,
    ],
  },
});
