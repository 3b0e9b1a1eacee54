import {
  deviationKinds,
  type RecordedExchange,
  type Result,
  type RunEnded,
  type RunEvent,
  type RunHandler,
  type Traffic,
  type Verdict,
} from '../../harness/events.ts';
import { plainResult } from '../../harness/verdict/plain-result.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, documentedVersions, holdsIn } from '../../specs/versions.ts';
import { hostileTexts } from './hostile-texts.ts';
import { sampleExchange } from './sample-exchanges.ts';
import { sampleRules } from './sample-rules.ts';

export interface SampleOptions {
  readonly rules?: readonly Rule[];
  readonly verdictOf?: (rule: Rule, place: number, api: ApiVersion) => Verdict;
  readonly end?: RunEnded['end'];
  readonly endReason?: string;
  /** Verdicts that never come. */
  readonly missing?: number;
  readonly left?: readonly string[];
  readonly exchanges?: () => AsyncIterable<RecordedExchange>;
  readonly traffic?: Traffic;
  readonly product?: string;
}

/** What passed through a proxy whose clients mean harm. */
export function sampleTraffic(exchange: string): Traffic {
  const place = { endpoint: 'POST /containers/create', api: '1.23', exchange } as const;
  return {
    connections: 3,
    exchanges: 1_234,
    notJudged: { 'API version 1.41': 34 },
    clients: [
      { ...place, weight: 'deviates', says: 'sends Image as something other than a string', actual: '1', times: 2 },
      ...hostileTexts.map((text) => ({
        ...place,
        weight: 'beyond' as const,
        says: `sends ${text}`,
        actual: text,
        times: 1,
      })),
    ],
  };
}

/** A run as a real daemon makes it, with every verdict, and with answers that mean harm. */
export function sampleRun(options: SampleOptions = {}): RunEvent[] {
  const { rules = sampleRules, verdictOf = mixedVerdicts, end = 'complete', endReason = '', left = [] } = options;
  const made = rules.flatMap((rule, place) =>
    documentedVersions
      .filter((api) => holdsIn(rule, api))
      .map((api) => sampleResult(rule, place, api, verdictOf(rule, place, api))),
  );
  const results = made.slice(0, made.length - (options.missing ?? 0));
  return [
    {
      type: 'run-started',
      tool: { name: 'engine-conformance', version: '0.1.0' },
      target: {
        address: 'unix:///run/engine.sock',
        dialect: 'docker',
        product: options.product ?? 'Example Engine',
        version: '20.10.24',
        apiVersion: '1.41',
        os: 'linux',
        arch: 'amd64',
        kernel: '6.1.0-18-amd64',
        serves: documentedVersions,
        lacks: { freezer: 'the host mounts no freezer cgroup' },
      },
      apis: documentedVersions,
      seed: 424242,
      startedAt: '2026-03-14T09:26:53.589Z',
      total: made.length,
    },
    ...results.map((result) => ({ type: 'verdict', result }) as const),
    { type: 'clean-up', left },
    {
      type: 'run-ended',
      durationMs: 84_213,
      end,
      endReason,
      exchanges: options.exchanges ?? (() => sampleExchanges(results, rules)),
      ...(options.traffic && { traffic: options.traffic }),
    },
  ];
}

/** Gives the run to the handlers, each event after the last one was dealt with. */
export async function play(events: readonly RunEvent[], ...handlers: readonly RunHandler[]): Promise<void> {
  for (const event of events) for (const handler of handlers) await handler(event);
}

/** The rule on whose check the kit fails. */
const broken: RuleId = 'containers.stop.answers-204';

/** Mostly passes, every other verdict here and there, some of them in single versions only. */
function mixedVerdicts(rule: Rule, place: number, api: ApiVersion): Verdict {
  if (rule.id === broken && api === '1.23') return 'error';
  if (rule.unchecked !== undefined) return 'untested';
  if (rule.level === 'observe' || place % 23 === 4) return 'observed';
  // Few rules are at should, so more of them fail, or none of those in a small sample might.
  if (place % (rule.level === 'should' ? 7 : 29) === 2) return 'fail';
  if (place % 31 === 7 && api !== '1.20') return 'fail';
  if (place % 37 === 9) return 'blocked';
  if (place % 19 === 5) return 'skip';
  if (place % 41 === 11) return 'untested';
  if (place % 53 === 12) return 'waived';
  return 'pass';
}

function sampleResult(rule: Rule, place: number, api: ApiVersion, verdict: Verdict): Result {
  const hostile = hostileTexts[place % hostileTexts.length] ?? '';
  const id = `x${place}-${api}`;
  const judged = !['skip', 'untested'].includes(verdict);
  return {
    ...plainResult(rule, api, verdict, reasons(hostile, place, rule)[verdict]),
    expected: verdict === 'fail' ? 'status 304 and no body' : '',
    actual: verdict === 'fail' ? `status 500 with the body ${hostile}` : '',
    evidence: judged ? [id] : [],
    assertions: judged ? 1 + (place % 4) : 0,
    ...(verdict === 'waived' && place % 4 < 3 && { knownAs: deviationKinds[place % 4] }),
    durationMs: 2 + ((place * 7) % 40),
  };
}

function reasons(hostile: string, place: number, rule: Rule): Record<Verdict, string> {
  return {
    pass: '',
    fail: 'expected status 304, got 500',
    blocked: `the container could not be started: ${hostile}`,
    skip: place % 2 ? 'the host mounts no freezer cgroup' : 'no registry can be reached from the target',
    observed:
      place % 2 ? `error bodies are JSON with a member message: ${hostile}` : 'sends the undocumented field `Platform`',
    untested: rule.unchecked ?? 'no check decides this rule yet',
    waived: 'answers 500 in place of 304 (baseline: known since 1.12)',
    error: 'TypeError: undefined is not a function',
  };
}

async function* sampleExchanges(results: readonly Result[], rules: readonly Rule[]): AsyncGenerator<RecordedExchange> {
  const places = new Map(rules.map((rule, place) => [rule.id, place]));
  for (const result of results) {
    const place = places.get(result.rule) ?? 0;
    for (const id of result.evidence) yield sampleExchange(id, result, place);
    if (result.verdict === 'fail') yield { ...sampleExchange(`${id(result)}-before`, result, 0) };
  }
}

function id(result: Result): string {
  return `${result.rule}@${result.api}`;
}
