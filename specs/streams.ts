import { running } from './common-rules.ts';
import type { Answer, Endpoint, Parameter } from './endpoint.ts';
import { type RuleData, type RuleDefaults, rules } from './rule.ts';
import { newestDocumented } from './versions.ts';

/** The last version in which streams with frames have the media type of raw ones (Document 4, General rules). */
const lastRaw = '1.41';
const firstMultiplexed = '1.42';

/** The headers with which a client asks for a hijacked connection (Document 2, Stream framing). */
export const upgradeHeaders = {
  Upgrade: { in: 'header', schema: { type: 'string', enum: ['tcp'] }, says: 'asks for a hijacked connection' },
  Connection: { in: 'header', schema: { type: 'string', enum: ['Upgrade'] }, says: 'goes with Upgrade' },
} as const satisfies Record<string, Parameter>;

/** The answer if the client asked for a hijacked connection. */
export const hijacked = {
  says: 'the connection carries the streams of the container',
  body: 'raw-stream',
  mediaType: 'application/vnd.engine.raw-stream',
  headers: {
    Connection: { type: 'string', enum: ['Upgrade'] },
    Upgrade: { type: 'string', enum: ['tcp'] },
  },
} as const satisfies Answer;

/** The same, since the media type names frames; the stream of a terminal remains raw. */
const hijackedMultiplexed = {
  ...hijacked,
  says: 'the connection carries the streams of the container; those of a terminal as application/vnd.engine.raw-stream',
  mediaType: 'application/vnd.engine.multiplexed-stream',
  since: firstMultiplexed,
} as const satisfies Answer;

/** What attach and exec start answer to an upgrade, by version. */
export const hijackedAnswers = [{ ...hijacked, until: lastRaw }, hijackedMultiplexed] as const satisfies Answer[];

/** The answer if the client did not ask for a hijacked connection. */
export const streamed = {
  says: 'the body carries the streams of the container',
  body: 'raw-stream',
  mediaType: 'application/vnd.engine.raw-stream',
} as const satisfies Answer;

const source = [2, 'Stream framing'] as const;

/** The upgrade of the connection: `<endpoint>.stream.upgrade-answers-101`. */
export function upgradeRules<const E extends Endpoint>(endpoint: E) {
  const defaults: RuleDefaults = { endpoint, source, row: '1' };
  // Logs are no longer upgraded in later versions (Document 4).
  const isLog = endpoint.id === 'containers.logs';
  const ofUpgraded = isLog ? ({ until: newestDocumented } as const) : {};
  // biome-ignore lint/plugin: a member of an object of type E
  return rules(`${endpoint.id as E['id']}.stream`, defaults, {
    'upgrade-answers-101': {
      kind: 'stream',
      says: 'answers 101 when the client sends Upgrade: tcp and Connection: Upgrade',
      needs: running,
      ...ofUpgraded,
      ...(endpoint.id === 'exec.start' && { level: 'should', interpretations: ['exec-start-101'] }),
      ...(endpoint.id === 'containers.logs' && { interpretations: ['logs-101'] }),
    },
    'no-upgrade-answers-200': {
      kind: 'stream',
      says: 'answers 200 when the client sends no Upgrade header',
      needs: running,
    },
    'repeats-Upgrade': {
      kind: 'header',
      says: 'sends Upgrade: tcp with 101',
      needs: running,
      ...ofUpgraded,
      ...afterUpgrade(endpoint),
    },
    'repeats-Connection': {
      kind: 'header',
      says: 'sends Connection: Upgrade with 101',
      needs: running,
      ...ofUpgraded,
      ...afterUpgrade(endpoint),
    },
    'upgraded-media-type': {
      kind: 'header',
      says: 'sends Content-Type: application/vnd.engine.raw-stream with 101',
      needs: running,
      until: lastRaw,
      ...ofUpgraded,
      ...afterUpgrade(endpoint),
    },
    'multiplexed-media-type': {
      kind: 'header',
      says: `sends Content-Type: application/vnd.engine.multiplexed-stream with ${isLog ? '200' : '101'} without a TTY`,
      source: [4, isLog ? 'Containers' : 'General rules'],
      needs: running,
      since: firstMultiplexed,
      ...afterUpgrade(endpoint),
    },
    'tty-media-type': {
      kind: 'header',
      says: `sends Content-Type: application/vnd.engine.raw-stream with ${isLog ? '200' : '101'} with a TTY`,
      source: [4, isLog ? 'Containers' : 'General rules'],
      needs: running,
      since: firstMultiplexed,
      ...afterUpgrade(endpoint),
    },
  } satisfies Record<string, RuleData>);
}

function afterUpgrade(endpoint: Endpoint): Pick<RuleData, 'interpretations'> {
  return endpoint.id === 'exec.start' ? { interpretations: ['exec-start-101'] } : {};
}

/** The shape of the stream: `<endpoint>.stream.frame-size`. */
export function framingRules<const E extends Endpoint>(endpoint: E) {
  const defaults: RuleDefaults = { endpoint, source, row: '3' };
  // biome-ignore lint/plugin: a member of an object of type E
  return rules(`${endpoint.id as E['id']}.stream`, defaults, {
    'tty-raw': { kind: 'stream', says: 'carries the raw bytes of the terminal with a TTY', row: '2', needs: running },
    'frame-header': {
      kind: 'stream',
      says: 'carries frames of an 8-byte header and a payload, one after another, without a TTY',
      needs: running,
    },
    'frame-stdout': { kind: 'stream', says: 'marks frames of stdout with 1 in byte 0', needs: running },
    'frame-stderr': { kind: 'stream', says: 'marks frames of stderr with 2 in byte 0', needs: running },
    'frame-zeros': { kind: 'stream', says: 'has 0 in bytes 1 to 3 of each frame header', needs: running },
    'frame-size': {
      kind: 'stream',
      says: 'has the size of the payload in bytes 4 to 7, most significant first',
      needs: running,
    },
    'payload-whole': {
      kind: 'stream',
      says: 'carries every byte that the process writes, in order on each stream',
      row: '4',
      needs: running,
    },
    'frame-stdin': {
      kind: 'observe',
      says: 'whether frames with 0 in byte 0 occur',
      needs: running,
    },
  } satisfies Record<string, RuleData>);
}
