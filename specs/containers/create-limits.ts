import { running } from '../common-rules.ts';
import type { Endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';

/** The limits of what create accepts (Document 1, Limits and HostConfig). */
export function createLimitRules(endpoint: Endpoint) {
  return rules(
    'containers.create.limits',
    { endpoint, source: [1, 'Limits'] },
    {
      'name-letters': {
        later: {
          since: '1.24',
          says: 'refuses one of a single character, or that begins with another than a letter or digit',
        },
        kind: 'limit',
        says: 'accepts a name of letters, digits, underscores and hyphens',
        row: 'name',
        interpretations: ['name-pattern'],
      },
      'name-slash': {
        kind: 'limit',
        says: 'accepts a leading slash in the name, and counts it as no part of it',
        row: 'name',
        interpretations: ['name-pattern'],
      },
      'name-refused': {
        kind: 'limit',
        says: 'refuses a name without any permitted character',
        row: 'name',
        interpretations: ['name-pattern', 'name-refused'],
      },
      'name-mixed-refused': {
        later: { since: '1.24', says: 'takes a dot as permitted' },
        kind: 'limit',
        says: 'refuses a name that mixes permitted characters with others',
        row: 'name',
        level: 'should',
        interpretations: ['name-pattern', 'name-refused'],
      },
      'BlkioWeight-range': {
        kind: 'limit',
        says: 'accepts a BlkioWeight of 10 and of 1000',
        row: 'BlkioWeight',
        interpretations: ['blkio-host'],
      },
      'BlkioWeight-low-refused': {
        kind: 'limit',
        says: 'refuses a BlkioWeight below 10',
        row: 'BlkioWeight',
        interpretations: ['blkio-host', 'bad-parameter'],
      },
      'BlkioWeight-high-refused': {
        kind: 'limit',
        says: 'refuses a BlkioWeight above 1000',
        row: 'BlkioWeight',
        interpretations: ['blkio-host', 'bad-parameter'],
      },
      'MemorySwappiness-range': {
        kind: 'limit',
        says: 'accepts a MemorySwappiness of 0 and of 100',
        row: 'MemorySwappiness',
      },
      'MemorySwappiness-low-refused': {
        kind: 'limit',
        says: 'refuses a MemorySwappiness below 0',
        row: 'MemorySwappiness',
        interpretations: ['bad-parameter', 'host-limits'],
      },
      'MemorySwappiness-high-refused': {
        kind: 'limit',
        says: 'refuses a MemorySwappiness above 100',
        row: 'MemorySwappiness',
        interpretations: ['bad-parameter', 'host-limits'],
      },
      'MemorySwap-larger': {
        kind: 'limit',
        says: 'accepts a MemorySwap that is larger than Memory',
        row: 'MemorySwap',
      },
      'MemorySwap-smaller-refused': {
        kind: 'limit',
        says: 'refuses a MemorySwap that is smaller than Memory',
        row: 'MemorySwap',
        interpretations: ['memoryswap', 'bad-parameter', 'host-limits'],
      },
      'MemorySwap-equal': {
        kind: 'observe',
        says: 'what it answers to a MemorySwap that equals Memory',
        row: 'MemorySwap',
        interpretations: ['memoryswap'],
      },
      'MemorySwap-unlimited': { kind: 'limit', says: 'accepts a MemorySwap of -1 with Memory', row: 'MemorySwap' },
      'MemorySwap-alone-refused': {
        kind: 'limit',
        says: 'refuses a MemorySwap without Memory',
        source: [1, 'HostConfig'],
        row: 'MemorySwap',
        interpretations: ['bad-parameter', 'host-limits'],
      },
      'PidsLimit-unlimited': { kind: 'limit', says: 'accepts a PidsLimit of -1', row: 'PidsLimit', since: '1.23' },
      'ShmSize-positive': {
        kind: 'limit',
        says: 'gives /dev/shm the size in ShmSize',
        row: 'ShmSize',
        since: '1.23',
        needs: running,
      },
      'ShmSize-negative-refused': {
        kind: 'limit',
        says: 'refuses a ShmSize below 0',
        row: 'ShmSize',
        since: '1.23',
        interpretations: ['shmsize-zero', 'bad-parameter'],
      },
      'ShmSize-zero': {
        kind: 'observe',
        says: 'what it does with a ShmSize of 0',
        row: 'ShmSize',
        since: '1.23',
        interpretations: ['shmsize-zero'],
      },
      'ShmSize-default': {
        kind: 'limit',
        says: 'gives /dev/shm 64 MB when ShmSize is not set',
        row: 'ShmSize',
        since: '1.23',
        interpretations: ['shmsize-zero'],
        needs: running,
      },
    },
  );
}
