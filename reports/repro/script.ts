import { readFileSync } from 'node:fs';
import type { RecordedExchange, Result } from '../../harness/events.ts';
import { isCurlLine } from '../../harness/recording/curl.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { withNames } from '../../harness/verdict/roles.ts';
import { textsOf } from '../../harness/verdict/shown.ts';
import { allRules } from '../../specs/catalogue.ts';
import { isNotReached } from '../causes/seen.ts';
import { versionOf } from '../evidence.ts';
import { bytesOf, isText } from '../recorded-bytes.ts';
import { visibleLine } from '../visible.ts';
import { conditionLines, NoScript } from './condition.ts';
import { flat } from './flat.ts';
import { framingLines, hasWrongHeader, isAboutFraming } from './framing.ts';
import { judgedAgain } from './judged-again.ts';
import { normalInSed } from './normal.ts';
import { jsonOf, requestText } from './recorded.ts';
import { runIn, type Selection } from './selection.ts';
import { sendingLines } from './sending.ts';
import { Words } from './words.ts';

/** What all scripts of a report have in common. */
export interface Common {
  /** The address of the judged daemon. */
  readonly address: string;
  /** What the daemon says it is. */
  readonly target: string;
  /** The probe image, compressed and in base64, with `probeRun` in place of a run's id. */
  readonly probe: string;
  /** The address of the token endpoint, if one was judged. */
  readonly tokenServer?: string | undefined;
  /** Whether clients of a proxy made the exchanges. */
  readonly isOfClients: boolean;
}

/** A script, or why there is none; `judgedAgain` says why the script needs the suite, and not curl alone. */
export type Repro = { readonly script: string; readonly judgedAgain?: string } | { readonly reason: string };

/** The placeholder in the probe image for the id of the run. */
export const probeRun = 'zzzzzzzzzzzz';

/** What every script begins with. */
export const library = readFileSync(new URL('./library.sh', import.meta.url), 'utf8').replace('@NORMAL@', normalInSed);
const byRule = new Map(allRules.map((rule) => [rule.id, rule]));

/** The file name of a rule's script. */
export function scriptName({ rule, api }: Pick<Result, 'rule' | 'api'>): string {
  return `${rule}@${api}.sh`;
}

/** Whether a file may be such a script; its rule may be of another version of the catalogue. */
export function isScriptName(name: string): boolean {
  return /^[a-z][^@]*@\d+\.\d+\.sh$/.test(name);
}

/**
 * A shell script that reproduces a failure, with names of its own. It exits with 1 while the deviation is there, with 0
 * once it is not, and with 2 when it cannot find out.
 */
export function scriptOf(result: Result, selection: Selection, common: Common): Repro {
  if (isNotReached(result)) return { reason: `nothing deviated, as the rule was not decided: ${result.reason}` };
  try {
    return { script: written(result, selection, common) };
  } catch (error) {
    if (!(error instanceof NoScript)) throw error;
    const reason = error.message;
    return common.isOfClients ? { reason } : { script: byTool(result, reason, common), judgedAgain: reason };
  }
}

/** What a script needs if it uses engine-conformance instead of curl. */
const needsTool = 'It needs engine-conformance.';

function byTool(result: Result, reason: string, common: Common): string {
  const tokenServer = isOfTokenServer(result) ? common.tokenServer : undefined;
  return [
    ...head(result, common, needsTool),
    `# curl alone cannot show it: ${reason.replace(/\s+/g, ' ')}.`,
    'D=$(mktemp -d) || exit 2',
    `trap 'rm -rf "$D"' EXIT`,
    "trap 'exit 130' INT",
    "trap 'exit 143' TERM HUP",
    judgedAgain(result, tokenServer),
    'judge_again',
    '',
  ].join('\n');
}

function isOfTokenServer({ rule }: Result): boolean {
  return byRule.get(rule)?.endpoint?.server === 'authorization';
}

function written(result: Result, selection: Selection, common: Common): string {
  if (common.isOfClients)
    throw new NoScript(
      "a client of the proxy sent the requests, and repeating them would change that client's own resources",
    );
  const id = result.shown?.exchange ?? result.evidence.at(-1);
  const shown = id === undefined ? undefined : selection.exchange(id);
  if (!shown) throw new NoScript('no exchange that the verdict rests on was kept');
  if (isOfTokenServer(result)) throw new NoScript('the rule is about the token server');
  if (/milliseconds|seconds by which/.test(result.expected))
    throw new NoScript('the verdict depends on measured times');
  if (/[?&]since=\d{10}.*&until=\d{10}/.test(shown.request.path)) {
    throw new NoScript('the request asks for the seconds around a past event');
  }
  const isOfFraming = isAboutFraming(result);
  if (isOfFraming && !hasWrongHeader(shown)) {
    throw new NoScript(
      'no header in the stream is wrong by itself, and the check compares sizes with what was written',
    );
  }
  const exchanges = selection.of(result, shown, namedNear(result, shown));
  if (exchanges.length === 1 && /\/events(?:\?|$)/.test(shown.request.path)) {
    throw new NoScript('it looked at events of what was made for several rules');
  }
  for (const exchange of exchanges) refuse(exchange);
  const run = runIn(exchanges);
  const words = new Words(run, selection.identifiers);
  const { lines, judged } = sendingLines(exchanges, shown, words);
  const carried = words.carry(textsOf(result.shown?.wanted).join('\n'));
  const condition = isOfFraming
    ? framingLines(judged)
    : conditionLines({
        ...{ shown: result.shown, exchange: shown, step: judged, words, run: run ?? '' },
        ...{ names: selection.namesOf(exchanges), expected: withNames(result.expected, result.names) },
      });
  const needsProbe = run !== undefined && exchanges.some((one) => requestText(one).includes(`ec-${run}-probe`));
  const needsSecret = [...lines, ...condition].some((line) => line.includes('$SECRET'));
  return [
    ...head(result, common),
    library,
    judgedAgain(result),
    ...(run !== undefined && exchanges.some((one) => hasInside(one, run)) ? keptNames(run) : []),
    `API=${versionOf(shown) ?? result.api}`,
    `EXPECTED=${words.plain(visibleLine(result.expected || result.reason))}`,
    ...(needsSecret ? [`: "\${SECRET:?set SECRET to the password or token that the run was given}"`] : []),
    'SENT=yes',
    ...(isRefusalWanted(result) ? ['REFUSAL=mended'] : []),
    ...(needsProbe ? probeLines(common.probe) : []),
    '',
    ...lines,
    ...carried,
    '',
    ...condition,
    '',
  ].join('\n');
}

const needsCurl = 'It needs curl.';

/** Whether any refusal would be right. */
function isRefusalWanted({ shown }: Result): boolean {
  return shown?.from?.part === 'status' && shown.wanted?.is === 'matching' && shown.wanted.pattern === '^[45]';
}

function head(result: Result, { address, target }: Common, needs = needsCurl): string[] {
  const says = byRule.get(result.rule)?.says ?? '';
  const facts = [
    `${result.rule} in API ${result.api}${says === '' ? '' : `: ${says}`}`,
    `Expected: ${result.expected || result.reason}`,
    ...(result.actual === '' ? [] : [`Actual, from ${target}: ${result.actual}`]),
    '',
    'Exits 1 while the deviation is there, 0 once it is gone, 2 if that cannot be determined. What it makes on the daemon',
    `has names of its own and is removed. ${needs} Set ENGINE_HOST if the daemon is elsewhere; for TLS, set`,
    'ENGINE_CA, ENGINE_CERT and ENGINE_KEY to the names of files.',
  ];
  return [
    '#!/bin/sh',
    ...facts.map((fact) => `# ${visibleLine(fact)}`.trimEnd()),
    `: "\${ENGINE_HOST:=${address.replace(/["$`\\]/g, '')}}"`,
    '',
  ];
}

function probeLines(probe: string): string[] {
  return [
    '',
    "# The probe image (docs/probe.md). Its containers do what the check's containers did.",
    `printf %s ${probe} | base64 -d | gzip -dc | sed "s/${probeRun}/$RUN/g" >"$D/image.in"`,
    'send image 200 POST "/v$API/images/load" "content-type: application/x-tar"',
  ];
}

/** Whether an exchange sends a file that contains a text. */
function hasInside({ request: { body } }: RecordedExchange, text: string): boolean {
  return !isText(body) && Buffer.from(bytesOf(body)).includes(text);
}

function keptNames(run: string): string[] {
  return ['# The names of the original run: a file that is sent contains them, covered by checksums.', `RUN=${run}`];
}

/** What is next to the place of a deviation: the item of a list says what it is about. */
export function namedNear(result: Result, shown: RecordedExchange): string {
  const from = result.shown?.from;
  const json = jsonOf(shown)?.json;
  const said = withNames(`${result.expected} ${result.actual}`, result.names);
  const items = from?.part === 'json' ? from.at.flatMap((steps) => itemAt(json, steps) ?? []) : [];
  return [said, ...items.flatMap((item) => flat(item)).map(({ value }) => value)].join(' ');
}

/** The item of the first list on the way to a place. */
function itemAt(json: JsonValue | undefined, [step, ...rest]: readonly string[]): JsonValue | undefined {
  if (step === undefined || typeof json !== 'object' || json === null) return undefined;
  return Array.isArray(json) ? json[Number(step)] : itemAt(json[step], rest);
}

const suiteServer = /(?:127\.0\.0\.1|localhost|host\.docker\.internal|\[::1\])(?::|%3A)\d{4,5}/i;

/** @throws NoScript for an exchange that a shell cannot repeat */
function refuse(exchange: RecordedExchange): void {
  const { request, curl } = exchange;
  if (!isCurlLine(curl)) throw new NoScript('it sent bytes that curl cannot send');
  if (suiteServer.test(request.path) || suiteServer.test(request.body.text ?? '')) {
    throw new NoScript('the daemon talks to a registry or server that runs inside the suite');
  }
}
