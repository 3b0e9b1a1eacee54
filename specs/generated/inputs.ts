import { properties } from './properties.ts';

/** Generated requests, valid and one step from it. */
export const inputProperties = properties('generated.inputs', {
  'container-names': {
    says: 'a container takes every name of the letters allowed, with or without a slash before it, and is found by it',
    source: [1, 'Limits'],
    decides: [
      'containers.create.limits.name-letters',
      'containers.create.limits.name-slash',
      'containers.create.limits.name-refused',
      'containers.create.name',
    ],
  },
});
