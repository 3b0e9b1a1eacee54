import { type ApiVersion, apiVersions } from '../../specs/versions.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireAnswer } from '../transport/wire.ts';
import { UsageError } from '../usage-error.ts';
import type { Address } from './address.ts';
import { type Dialect, dialectOf, namedDialect } from './dialect.ts';
import type { Target } from './target.ts';

/** The target does not answer as an engine at all. Exit status 3. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable';
  /** What the user is to look at. */
  readonly toCheck: string;

  constructor(message: string, toCheck: string, options: ErrorOptions) {
    super(message, options);
    this.toCheck = toCheck;
  }
}

/**
 * Finds out what daemon answers: its product and version, its dialect, and which versions of the contract it serves.
 * @param dialect `auto`, a dialect's name, or a file of words
 * @throws TargetUnreachable when nothing that answers HTTP listens there
 * @throws UsageError when the daemon serves none of the contract's versions
 */
export async function identify(
  transport: Transport,
  address: Address,
  dialect: string,
  boundMs: number,
): Promise<Target> {
  const get = (api: ApiVersion, path: string) => ask(transport, address, `/v${api}${path}`, boundMs);
  const answers = await Promise.all(apiVersions.map(async (api) => ({ api, ping: await get(api, '/_ping') })));
  const served = answers.filter(({ ping }) => ping.status !== 400 && ping.status !== 404);
  const serves = served.map(({ api }) => api);
  const newest = serves.at(-1);
  if (newest === undefined) {
    const refusals = answers.map(({ api, ping }) => `/v${api}/_ping answers ${ping.status}`);
    throw new UsageError(
      `${address.text} serves none of the API versions ${apiVersions.join(', ')}: ${refusals.join(', ')}`,
    );
  }
  // What they say of the daemon is the same in every version, and costs some daemons seconds.
  const [newestVersion, newestInfo] = (await Promise.all([get(newest, '/version'), get(newest, '/info')])).map(parse);
  const words: Dialect = dialect === 'auto' ? dialectOf(newestInfo) : namedDialect(dialect);
  const arch = text(newestVersion, 'Arch');
  const identity = {
    address: address.text,
    dialect: words.name,
    product: productOf(newestVersion),
    version: text(newestVersion, 'Version'),
    apiVersion: text(newestVersion, 'ApiVersion'),
    os: text(newestVersion, 'Os'),
    arch,
    kernel: text(newestVersion, 'KernelVersion'),
    serves,
    lacks: {},
  };
  const architecture = arch === 'arm64' || arch === 'aarch64' ? 'arm64' : 'amd64';
  return { address, dialect: words, identity, serves, architecture, lacks: {}, absent: {} };
}

async function ask(transport: Transport, address: Address, path: string, boundMs: number): Promise<WireAnswer> {
  try {
    return await transport.exchange({ method: 'GET', path, headers: {} }, { wholeMs: boundMs });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const message = `${address.text} gave no answer to GET ${path}: ${error.message}`;
    throw new TargetUnreachable(message, '--target and that the daemon runs', { cause: error });
  }
}

function parse(answer: WireAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return undefined; // Whether /version and /info answer JSON is for their rules to judge.
  }
}

function text(object: unknown, name: string): string {
  if (typeof object !== 'object' || object === null) return '';
  const value: unknown = Object.entries(object).find(([known]) => known === name)?.[1];
  return typeof value === 'string' ? value : '';
}

/** The documents name no field for the product; engines of today list it as the first of Components. */
function productOf(version: unknown): string {
  if (typeof version !== 'object' || version === null || !('Components' in version)) return '';
  const first: unknown = Array.isArray(version.Components) ? version.Components[0] : undefined;
  return text(first, 'Name');
}
