import {
  type ApiVersion,
  apiVersions,
  carriedVersions,
  compareVersions,
  documentedVersions,
  firstCarried,
  newestVersion,
  versionsInWords,
} from '../../specs/versions.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireAnswer } from '../transport/wire.ts';
import { UsageError } from '../usage-error.ts';
import type { Address } from './address.ts';
import { type Dialect, dialectOf, dockerDialect, engineDialect, namedDialect } from './dialect.ts';
import type { Target } from './target.ts';
import { workingVersion } from './working-version.ts';

/** The target does not answer as an engine at all. Exit status 3. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable';
  /** What the user should check. */
  readonly toCheck: string;

  constructor(message: string, toCheck: string, options: ErrorOptions) {
    super(message, options);
    this.toCheck = toCheck;
  }
}

/**
 * Finds out what daemon answers: its product and version, its dialect, and which versions of the contract it serves.
 * @param dialect `auto`, a dialect's name, or a file of words
 * @param option the option that names the address, for messages
 * @throws TargetUnreachable when no HTTP server answers there
 * @throws UsageError when the daemon serves none of the contract's versions
 */
export async function identify(
  transport: Transport,
  address: Address,
  dialect: string,
  boundMs: number,
  option = '--target',
): Promise<Target> {
  const asked: Asked = { transport, address, boundMs, option };
  const { serves, version } = await servedVersions(asked);
  const answer = await get(asked, `/v${workingVersion(serves)}/info`);
  const info = answer.status === 200 ? parse(answer) : undefined;
  const words = dialect === 'auto' ? await foundDialect(asked, info, version) : await namedDialect(dialect);
  const arch = text(version, 'Arch');
  const identity = {
    address: address.text,
    dialect: words.name,
    product: productOf(version),
    version: text(version, 'Version'),
    apiVersion: text(version, 'ApiVersion'),
    os: text(version, 'Os'),
    arch,
    kernel: text(version, 'KernelVersion'),
    serves,
    lacks: {},
  };
  const architecture = arch === 'arm64' || arch === 'aarch64' ? 'arm64' : 'amd64';
  const processors = processorsOf(info);
  return {
    ...{ address, dialect: words, identity, serves, architecture, lacks: {}, absent: {} },
    ...(processors !== undefined && { processors }),
  };
}

/**
 * From /info. Where that is not served, from what only daemons of one dialect show elsewhere: the components in
 * /version, which the documents do not have, and the brand in the headers of a ping.
 */
async function foundDialect(asked: Asked, info: unknown, version: unknown): Promise<Dialect> {
  if (isObject(info)) return dialectOf(info);
  const { headers } = await get(asked, '/_ping');
  const isDocker =
    productOf(version) !== '' || headers.some(([name, value]) => /^docker-/i.test(name) || /^Docker\//.test(value));
  return isDocker ? dockerDialect : engineDialect;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** How to ask a daemon for its identity. */
interface Asked {
  readonly transport: Transport;
  readonly address: Address;
  readonly boundMs: number;
  readonly option: string;
}

interface Served {
  readonly serves: readonly ApiVersion[];
  /** The answer of /version, if it is JSON. */
  readonly version: unknown;
}

/**
 * The versions that the daemon serves. Documented versions count if their ping answers. Of the carried versions a
 * daemon reports the newest: some daemons answer under any version, so none above it counts. Those in between are tried
 * only if one of the ends does not answer.
 */
async function servedVersions(asked: Asked): Promise<Served> {
  const documented = await answering(asked, documentedVersions);
  const prefix = documented.length > 0 ? `/v${workingVersion(documented)}` : '';
  const version = await json(asked, `${prefix}/version`);
  const carried = await answeringBetween(asked, announced(version, documented.length > 0));
  const serves = [...documented, ...carried];
  const newest = carried.at(-1);
  if (newest !== undefined && documented.length === 0) {
    return { serves, version: await json(asked, `/v${newest}/version`) };
  }
  if (serves.length > 0) return { serves, version };
  throw new UsageError(
    `${asked.address.text} serves none of the API versions ${versionsInWords(apiVersions)}: it answers ${await pingsInWords(asked)}`,
  );
}

/** The carried versions that a daemon reports; all of them if it reports none and serves no documented one. */
function announced(version: unknown, servesDocumented: boolean): readonly ApiVersion[] {
  const [oldest, newest] = [text(version, 'MinAPIVersion'), text(version, 'ApiVersion')];
  if (!isNumber(newest)) return servesDocumented ? [] : carriedVersions;
  return carriedVersions.filter(
    (api) => compareVersions(api, newest) <= 0 && (!isNumber(oldest) || compareVersions(api, oldest) >= 0),
  );
}

function isNumber(version: string): boolean {
  return /^\d{1,4}\.\d{1,4}$/.test(version);
}

async function answeringBetween(asked: Asked, versions: readonly ApiVersion[]): Promise<readonly ApiVersion[]> {
  const ends = [...new Set([...versions.slice(0, 1), ...versions.slice(-1)])];
  const answered = await answering(asked, ends);
  return answered.length === ends.length ? versions : answering(asked, versions);
}

async function answering(asked: Asked, versions: readonly ApiVersion[]): Promise<readonly ApiVersion[]> {
  const statuses = await Promise.all(versions.map((api) => ping(asked, api)));
  return versions.filter((_, place) => statuses[place] !== 400 && statuses[place] !== 404);
}

async function ping(asked: Asked, api: ApiVersion): Promise<number> {
  return (await get(asked, `/v${api}/_ping`)).status;
}

async function pingsInWords(asked: Asked): Promise<string> {
  const ends = [...documentedVersions, firstCarried, newestVersion];
  const answers = await Promise.all(ends.map(async (api) => `/v${api}/_ping with ${await ping(asked, api)}`));
  return answers.join(', ');
}

async function json(asked: Asked, path: string): Promise<unknown> {
  return parse(await get(asked, path));
}

async function get({ transport, address, boundMs, option }: Asked, path: string): Promise<WireAnswer> {
  try {
    return await transport.exchange({ method: 'GET', path, headers: {} }, { wholeMs: boundMs });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const message = `${address.text} gave no answer to GET ${path}: ${error.message}`;
    throw new TargetUnreachable(message, whatToCheck(error, option), { cause: error });
  }
}

function parse(answer: WireAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return undefined; // The rules of /version and /info judge whether they answer JSON.
  }
}

function text(object: unknown, name: string): string {
  if (typeof object !== 'object' || object === null) return '';
  const value: unknown = Object.entries(object).find(([known]) => known === name)?.[1];
  return typeof value === 'string' ? value : '';
}

/** The documents have no field for the product; today's engines list it as the first of Components. */
function productOf(version: unknown): string {
  if (typeof version !== 'object' || version === null || !('Components' in version)) return '';
  const first: unknown = Array.isArray(version.Components) ? version.Components[0] : undefined;
  return text(first, 'Name');
}

function processorsOf(info: unknown): number | undefined {
  const count = isObject(info) && 'NCPU' in info ? info.NCPU : undefined;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : undefined;
}

/** Distinguishes a daemon that this user may not access from one that is not there. */
export function whatToCheck({ cause }: Error, option: string): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'EACCES' || code === 'EPERM'
    ? 'that you have access to the socket: you must be root, or in the group that owns it'
    : `${option}, and that the daemon is running`;
}
