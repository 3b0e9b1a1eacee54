import { properties } from './properties.ts';

/** Generated things, as each version tells of them. */
export const versionProperties = properties('generated.versions', {
  containers: {
    says: 'every version tells the same of a container, as far as it tells it',
    source: [1, 'Versioning'],
    needs: ['containers-run'],
    level: 'should',
    interpretations: ['same-in-versions'],
    decides: ['versioning.same-container'],
  },
  images: {
    says: 'every version tells the same of an image, as far as it tells it',
    source: [1, 'Versioning'],
    level: 'should',
    interpretations: ['same-in-versions'],
    decides: ['versioning.same-image'],
  },
  volumes: {
    says: 'every version tells the same of a volume, as far as it tells it',
    source: [1, 'Versioning'],
    since: '1.21',
    level: 'should',
    interpretations: ['same-in-versions'],
    decides: ['versioning.same-volume'],
  },
  networks: {
    says: 'every version tells the same of a network, as far as it tells it',
    source: [1, 'Versioning'],
    since: '1.21',
    needs: ['containers-run', 'networking'],
    level: 'should',
    interpretations: ['same-in-versions'],
    decides: ['versioning.same-network'],
  },
});
