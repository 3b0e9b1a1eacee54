import type { Parameter } from '../endpoint.ts';
import { flag, flagOn } from '../parameters.ts';

const text = { type: 'string' } as const;
const number = { type: 'integer' } as const;
const json = { type: 'string', contentMediaType: 'application/json' } as const;

/** The query of build (Document 3, Build an image). */
export const buildParameters = {
  dockerfile: { in: 'query', schema: text, says: 'the path of the build file in the context' },
  t: { in: 'query', schema: text, says: 'the name of the image, with a tag or for the tag latest' },
  remote: { in: 'query', schema: text, says: 'where the context is: a Git repository, or a file over HTTP' },
  q: { in: 'query', schema: flag, says: 'without the long output' },
  nocache: { in: 'query', schema: flag, says: 'without the cache' },
  pull: { in: 'query', schema: flag, says: 'the base image is pulled even if there is one' },
  rm: { in: 'query', schema: flagOn, says: 'intermediate containers are removed after success' },
  forcerm: { in: 'query', schema: flag, says: 'intermediate containers are removed in any case' },
  memory: { in: 'query', schema: number, says: 'the memory limit' },
  memswap: { in: 'query', schema: number, says: 'memory plus swap, -1 for no swap limit' },
  cpushares: { in: 'query', schema: number, says: 'the relative weight for the CPU' },
  cpusetcpus: { in: 'query', schema: text, says: 'the CPUs allowed' },
  cpuperiod: { in: 'query', schema: number, says: 'the CPU period in microseconds' },
  cpuquota: { in: 'query', schema: number, says: 'CPU time per period in microseconds' },
  buildargs: { in: 'query', schema: json, since: '1.21', says: 'a map of variables for the build' },
  shmsize: {
    in: 'query',
    schema: { type: 'integer', minimum: 1, default: 67108864 },
    since: '1.23',
    says: 'the size of /dev/shm in bytes',
  },
  labels: { in: 'query', schema: json, since: '1.23', says: 'a map of labels for the image' },
} as const satisfies Record<string, Parameter>;
