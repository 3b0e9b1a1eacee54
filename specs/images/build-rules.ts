import type { Endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';

const source = [3, 'Build an image'] as const;
const run = ['containers-run'] as const;

/** What a build context may be (Document 3, Build an image). */
export function buildContextRules(endpoint: Endpoint) {
  return rules(
    'images.build.context',
    { endpoint, source },
    {
      'Content-type': { kind: 'header', says: 'accepts a body with Content-Type: application/x-tar', row: 'headers' },
      identity: { kind: 'format', says: 'accepts a context that is not compressed', row: 'body' },
      gzip: { kind: 'format', says: 'accepts a context compressed with gzip', row: 'body' },
      bzip2: { kind: 'format', says: 'accepts a context compressed with bzip2', row: 'body' },
      xz: { kind: 'format', says: 'accepts a context compressed with xz', row: 'body' },
      Enginefile: {
        kind: 'format',
        says: 'reads the build file from Enginefile at the root of the context',
        row: 'body',
      },
      'other-compression': {
        kind: 'observe',
        says: 'what it does with a context that is compressed in another form',
        row: 'body',
      },
      'no-build-file': {
        kind: 'format',
        says: 'refuses a context without the build file',
        row: 'body',
        interpretations: ['build-errors'],
      },
      files: {
        kind: 'format',
        says: 'makes the other files of the context available to the instructions',
        row: 'body',
      },
      'names-from-dot': {
        kind: 'format',
        says: 'finds the files of a context whose names in the archive begin with ./',
        row: 'body',
        level: 'should',
        interpretations: ['archive-names'],
      },
      'files-changed': {
        kind: 'format',
        says: 'takes the other files from this context, also where an earlier build was the same but for what is in them',
        row: 'body',
      },
    },
  );
}

/** What the parameters of build do (Document 3, Build an image). */
export function buildParameterRules(endpoint: Endpoint) {
  return rules(
    'images.build.parameter',
    { endpoint, source },
    {
      dockerfile: { kind: 'parameter', says: 'reads the build file from the path in dockerfile', row: 'dockerfile' },
      'dockerfile-ignored': {
        kind: 'parameter',
        says: 'ignores dockerfile when remote is a build file elsewhere',
        row: 'dockerfile',
        needs: ['reaches-suite'],
      },
      't-name': { kind: 'parameter', says: 'gives the image the name in t', row: 't' },
      't-default-latest': { kind: 'parameter', says: 'gives the image the tag latest when t has no tag', row: 't' },
      't-repeated': {
        kind: 'parameter',
        says: 'gives the image every name when t is given more than once',
        row: 't',
        since: '1.21',
      },
      'remote-git': {
        kind: 'parameter',
        says: 'builds from the Git repository in remote',
        row: 'remote',
        needs: ['reaches-suite'],
      },
      'remote-https': {
        kind: 'parameter',
        says: 'fetches the context over HTTPS when the address in remote says so',
        row: 'remote',
        needs: ['reaches-suite'],
      },
      'remote-text': {
        kind: 'parameter',
        says: 'uses a text file at the address in remote as the build file',
        row: 'remote',
        needs: ['reaches-suite'],
      },
      'remote-tar': {
        kind: 'parameter',
        says: 'uses a tar archive at the address in remote as the context',
        row: 'remote',
        needs: ['reaches-suite'],
      },
      'remote-tar-dockerfile': {
        kind: 'parameter',
        says: 'reads the build file from the path in dockerfile inside the tar archive at remote',
        row: 'remote',
        needs: ['reaches-suite'],
      },
      'remote-tar-dockerfile-missing': {
        kind: 'parameter',
        says: 'fails when the path in dockerfile is not in the tar archive at remote',
        row: 'remote',
        interpretations: ['build-errors'],
        needs: ['reaches-suite'],
      },
      'q-true': { kind: 'parameter', says: 'sends less output when q is true', row: 'q' },
      'q-output': {
        kind: 'parameter',
        says: 'leaves out what a RUN writes when q is true',
        row: 'q',
        level: 'should',
        interpretations: ['verbose-output'],
        needs: run,
      },
      'q-error': {
        kind: 'parameter',
        says: 'reports a build that fails when q is true, too',
        source: [1, 'Errors'],
        row: 'stream errors',
        interpretations: ['build-errors'],
      },
      'nocache-true': {
        kind: 'parameter',
        says: 'runs every instruction again when nocache is true',
        row: 'nocache',
        needs: run,
      },
      'cache-used': {
        kind: 'observe',
        says: 'whether a second build of the same context uses the cache when nocache is not set',
        row: 'nocache',
        needs: run,
      },
      'pull-true': {
        kind: 'parameter',
        says: 'asks the registry for the base image even if there is one when pull is true',
        row: 'pull',
        needs: ['registry'],
      },
      'rm-default': {
        kind: 'parameter',
        says: 'leaves no intermediate containers after a successful build when rm is not set',
        row: 'rm',
        needs: run,
      },
      'rm-true': {
        kind: 'parameter',
        says: 'leaves no intermediate containers after a successful build when rm is true',
        row: 'rm',
        needs: run,
      },
      'forcerm-failure': {
        kind: 'parameter',
        says: 'leaves no intermediate containers after a failed build when forcerm is true',
        row: 'forcerm',
        needs: run,
      },
      'forcerm-success': {
        kind: 'parameter',
        says: 'leaves no intermediate containers after a successful build when forcerm is true',
        row: 'forcerm',
        needs: run,
      },
      memory: {
        kind: 'parameter',
        says: 'accepts a memory limit for the build in memory',
        row: 'memory',
        interpretations: ['host-limits'],
        needs: run,
      },
      memswap: {
        kind: 'limit',
        says: 'accepts memory plus swap in memswap',
        row: 'memswap',
        interpretations: ['host-limits'],
        needs: run,
      },
      'memswap-unlimited': {
        kind: 'limit',
        says: 'accepts -1 in memswap for no swap limit',
        row: 'memswap',
        interpretations: ['host-limits'],
        needs: run,
      },
      'memswap-equal': {
        kind: 'observe',
        says: 'what it does with a memswap that equals memory',
        source: [1, 'Limits'],
        row: 'MemorySwap',
        interpretations: ['memoryswap'],
      },
      'memswap-smaller-refused': {
        kind: 'limit',
        says: 'refuses a memswap that is smaller than memory',
        source: [1, 'Limits'],
        row: 'MemorySwap',
        interpretations: ['memoryswap', 'build-errors', 'host-limits'],
        needs: run,
      },
      cpushares: {
        kind: 'parameter',
        says: 'accepts a weight for the CPU in cpushares',
        row: 'cpushares',
        interpretations: ['host-limits'],
        needs: run,
      },
      cpusetcpus: {
        kind: 'parameter',
        says: 'accepts the CPUs allowed in cpusetcpus',
        row: 'cpusetcpus',
        interpretations: ['host-limits'],
        needs: run,
      },
      cpuperiod: {
        kind: 'parameter',
        says: 'accepts the CPU period in cpuperiod',
        row: 'cpuperiod',
        interpretations: ['host-limits'],
        needs: run,
      },
      cpuquota: {
        kind: 'parameter',
        says: 'accepts the CPU time per period in cpuquota',
        row: 'cpuquota',
        interpretations: ['host-limits'],
        needs: run,
      },
      'buildargs-env': {
        kind: 'parameter',
        says: 'gives RUN the variables in buildargs as its environment',
        row: 'buildargs',
        since: '1.21',
        needs: run,
      },
      'buildargs-expansion': {
        kind: 'parameter',
        says: 'puts the variables in buildargs into the other instructions',
        row: 'buildargs',
        since: '1.21',
      },
      'shmsize-size': {
        kind: 'limit',
        says: 'gives /dev/shm the size in shmsize during the build',
        row: 'shmsize',
        since: '1.23',
        needs: run,
      },
      'shmsize-negative-refused': {
        kind: 'limit',
        says: 'refuses a shmsize below 0',
        row: 'shmsize',
        since: '1.23',
        interpretations: ['shmsize-zero', 'build-errors'],
      },
      'shmsize-zero': {
        kind: 'observe',
        says: 'what it does with a shmsize of 0',
        row: 'shmsize',
        since: '1.23',
        interpretations: ['shmsize-zero'],
      },
      'shmsize-default': {
        kind: 'limit',
        says: 'gives /dev/shm 64 MB during the build when shmsize is not set',
        row: 'shmsize',
        since: '1.23',
        interpretations: ['shmsize-zero'],
        needs: run,
      },
      labels: { kind: 'parameter', says: 'gives the image the labels in labels', row: 'labels', since: '1.23' },
    },
  );
}
