import { properties } from './properties.ts';

/** Generated objects, as each version shows them. */
export const versionProperties = properties('generated.versions', {
  containers: {
    says: 'every version gives the same values for a container, as far as it has the fields',
    source: [1, 'Versioning'],
    needs: ['containers-run'],
    level: 'should',
    interpretations: ['same-in-versions'],
    decides: ['versioning.same-container'],
  },
  images: {
    says: 'every version gives the same values for an image, as far as it has the fields',
    source: [1, 'Versioning'],
    level: 'should',
    interpretations: ['same-in-versions'],
    decides: ['versioning.same-image'],
  },
  volumes: {
    says: 'every version gives the same values for a volume, as far as it has the fields',
    source: [1, 'Versioning'],
    since: '1.21',
    level: 'should',
    interpretations: ['same-in-versions'],
    decides: ['versioning.same-volume'],
  },
  networks: {
    says: 'every version gives the same values for a network, as far as it has the fields',
    source: [1, 'Versioning'],
    since: '1.21',
    needs: ['containers-run', 'networking'],
    level: 'should',
    interpretations: ['same-in-versions'],
    decides: ['versioning.same-network'],
  },
});
