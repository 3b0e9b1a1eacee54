import { describe, expect, test } from 'vitest';
import { identify } from '../../harness/target/identify.ts';
import { judgedVersions, whyJudged } from '../../harness/target/judged-versions.ts';
import type { Target } from '../../harness/target/target.ts';
import { workingVersion } from '../../harness/target/working-version.ts';
import { UsageError } from '../../harness/usage-error.ts';
import {
  type ApiVersion,
  carriedVersions,
  compareVersions,
  documentedVersions,
  newestVersion,
} from '../../specs/versions.ts';
import { httpServer, transportTo } from './servers.ts';

/** A version that is newer than any that the contract knows. */
const beyond = '1.999';

interface Daemon {
  /** Whether it answers under a version; else it answers 400. */
  readonly serves: (api: string) => boolean;
  /** What it adds to its version answer: the ends of what it serves, if it tells them. */
  readonly announces?: Readonly<Record<string, string>>;
}

/** Identifies a daemon that pings and tells its version, and gives the paths that it was asked for. */
async function identified({ serves, announces = {} }: Daemon): Promise<{ target: Target; asked: readonly string[] }> {
  const asked: string[] = [];
  const address = await httpServer((request, answer) => {
    const url = request.url ?? '';
    asked.push(url);
    const [, api, path = url] = /^\/v([\d.]+)(\/.*)$/.exec(url) ?? [];
    if (api !== undefined && !serves(api)) return answer.writeHead(400).end('{"message":"no such version"}');
    const body = path === '/version' ? { Version: '9', Os: 'linux', Arch: 'amd64', ...announces } : {};
    return answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const target = await identify(transportTo(address), address, 'auto', 10_000);
  return { target, asked };
}

const between = (oldest: string, newest: string) => (api: string) =>
  compareVersions(api, oldest) >= 0 && compareVersions(api, newest) <= 0;

test.each([
  { told: 4, processors: 4 },
  { told: 0, processors: undefined },
  { told: 2.5, processors: undefined },
  { told: '4', processors: undefined },
  { told: undefined, processors: undefined },
])('identify, of a daemon that tells $told as NCPU, counts $processors processors', async ({ told, processors }) => {
  const address = await httpServer((request, answer) => {
    const isInfo = request.url?.endsWith('/info');
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(isInfo ? { NCPU: told } : {}));
  });
  expect((await identify(transportTo(address), address, 'auto', 10_000)).processors).toBe(processors);
});

describe('identify, of a daemon without /info, takes the dialect', () => {
  const dialectOf = async (version: object, headers: Record<string, string> = {}) => {
    const address = await httpServer((request, answer) => {
      const [, path = ''] = /(\/\w+)$/.exec(request.url ?? '') ?? [];
      const known: Record<string, object> = { '/_ping': {}, '/version': version };
      const body = known[path] ?? { message: 'page not found' };
      answer.writeHead(path in known ? 200 : 404, { 'content-type': 'application/json', ...headers });
      answer.end(JSON.stringify(body));
    });
    return (await identify(transportTo(address), address, 'auto', 10_000)).dialect.name;
  };

  test('of what stands in /version and in headers', async () => {
    expect(await dialectOf({ ApiVersion: '1.23', Components: [{ Name: 'Engine', Version: '20.10' }] })).toBe('docker');
    expect(await dialectOf({ ApiVersion: '1.23' }, { 'Docker-Experimental': 'false' })).toBe('docker');
    expect(await dialectOf({ ApiVersion: '1.23' }, { Server: 'Docker/20.10.24 (linux)' })).toBe('docker');
  });

  test('of the documents where nothing tells another', async () => {
    expect(await dialectOf({ ApiVersion: '1.23' }, { Server: 'nginx' })).toBe('engine');
  });
});

describe('identify, of a daemon', () => {
  test('that serves carried versions only', async () => {
    const { target, asked } = await identified({
      serves: between('1.24', '1.45'),
      announces: { ApiVersion: '1.45', MinAPIVersion: '1.24' },
    });
    expect(target.serves).toEqual(carriedVersions.filter(between('1.24', '1.45')));
    expect(target.identity).toMatchObject({ version: '9', apiVersion: '1.45' });
    expect(judgedVersions(undefined, target.serves)).toEqual(['1.45']);
    expect(workingVersion(target.serves)).toBe('1.45');
    // What lies between two ends that answer is not asked for.
    expect(asked).not.toContain('/v1.30/_ping');
  });

  test('that serves documented versions only', async () => {
    const { target } = await identified({ serves: between('1.12', '1.23'), announces: { ApiVersion: '1.23' } });
    expect(target.serves).toEqual(documentedVersions);
    expect(judgedVersions(undefined, target.serves)).toEqual(documentedVersions);
    expect(workingVersion(target.serves)).toBe('1.23');
  });

  test('that serves both: the documented ones are judged, and nothing above what it announces', async () => {
    const { target } = await identified({
      serves: () => true, // Some daemons do not look at the version of a request.
      announces: { ApiVersion: '1.41', MinAPIVersion: '1.12' },
    });
    expect(target.serves).toEqual([...documentedVersions, ...carriedVersions.filter(between('1.24', '1.41'))]);
    expect(judgedVersions(undefined, target.serves)).toEqual(documentedVersions);
    expect(workingVersion(target.serves)).toBe('1.23');
  });

  test('that is newer than the contract: judged in the newest version that the contract knows, and it says so', async () => {
    const { target } = await identified({
      serves: between('1.40', beyond),
      announces: { ApiVersion: beyond, MinAPIVersion: '1.40' },
    });
    expect(target.serves).toEqual(carriedVersions.filter(between('1.40', beyond)));
    expect(judgedVersions(undefined, target.serves)).toEqual([newestVersion]);
    expect(whyJudged(undefined, target.identity)).toContain(
      `the daemon's newest version, ${beyond}, is newer than the contract, which ends with ${newestVersion}`,
    );
  });

  test('that announces nothing: every version is asked for', async () => {
    const { target } = await identified({ serves: (api) => ['1.30', '1.31', '1.40'].includes(api) });
    expect(target.serves).toEqual(['1.30', '1.31', '1.40']);
  });

  test('that announces nothing and serves a documented version: no other counts', async () => {
    const { target } = await identified({ serves: () => true });
    expect(target.serves).toEqual(documentedVersions);
  });

  test('that announces ends that it does not serve: what is between is asked for', async () => {
    const { target } = await identified({
      serves: between('1.26', '1.40'),
      announces: { ApiVersion: '1.41', MinAPIVersion: '1.24' },
    });
    expect(target.serves).toEqual(carriedVersions.filter(between('1.26', '1.40')));
  });

  test('that serves no version that the contract knows', async () => {
    const served = identified({
      serves: between(beyond, beyond),
      announces: { ApiVersion: beyond, MinAPIVersion: beyond },
    });
    await expect(served).rejects.toThrow(UsageError);
    await expect(identified({ serves: between('1.10', '1.18'), announces: { ApiVersion: '1.18' } })).rejects.toThrow(
      /serves none of the API versions .*1\.20, 1\.21, 1\.23; carried: 1\.24 to .*\/v1\.23\/_ping with 400/,
    );
  });
});

describe('the versions to be judged', () => {
  const serves: readonly ApiVersion[] = ['1.21', '1.23', '1.24', '1.41'];

  test.each([
    ['newest', ['1.41']],
    ['served', ['1.21', '1.23', '1.24', '1.41']],
    ['1.45', ['1.45']],
  ] as const)('%s', (wish, versions) => {
    expect(judgedVersions([wish], serves)).toEqual(versions);
  });

  test('are in their order and once each', () => {
    expect(judgedVersions(['1.41', '1.20', 'newest'], serves)).toEqual(['1.20', '1.41']);
  });

  test('come with a reason', () => {
    const of = (served: readonly ApiVersion[], apiVersion: string) => ({ serves: served, apiVersion });
    expect(whyJudged(['newest'], of(serves, '1.41'))).toBe('asked for with --api newest');
    expect(whyJudged(undefined, of(serves, '1.41'))).toMatch(
      /^these are the documented versions that the target serves; [^;]*$/,
    );
    expect(whyJudged(undefined, of(['1.45'], '1.45'))).toMatch(
      /^the target serves no documented version; .* it serves that the contract knows$/,
    );
    expect(whyJudged(['1.40'], of(serves, beyond))).toContain(`; the daemon's newest version, ${beyond}`);
  });
});
