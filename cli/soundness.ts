import type { RecordedExchange } from '../harness/events.ts';
import { latitudeOf, latitudes } from '../harness/latitudes/latitudes.ts';
import { run } from '../harness/runner/run.ts';
import { type Soundness, trySoundness } from '../harness/runner/soundness.ts';
import { visibleLine } from '../reports/visible.ts';
import { type ExchangeFlags, newSeed, runOptions } from './run-options.ts';
import type { Selection } from './selection.ts';
import { chooseTarget, type TargetFlags } from './target.ts';

export interface SoundnessFlags extends TargetFlags, ExchangeFlags {
  /** Names of the latitudes that are tried; all of them when absent. */
  readonly latitude?: readonly string[];
}

/**
 * Tests whether checks tolerate what the documents allow an engine to do.
 * @param progress receives what is being tried
 * @throws UsageError for an unknown latitude
 */
export function soundnessOf(
  flags: SoundnessFlags,
  selection: Selection,
  signal: AbortSignal,
  progress: (what: string) => void,
): Promise<Soundness> {
  const seed = flags.seed ?? newSeed();
  return trySoundness(
    flags.latitude?.map(latitudeOf) ?? latitudes,
    async ({ rules, ...varied }) => {
      if (signal.aborted) return;
      const target = await chooseTarget(flags, flags.dialect, { declared: flags, api: selection.apis });
      try {
        const chosen = rules ? selection.rules.filter(({ id }) => rules.includes(id)) : selection.rules;
        const options = runOptions(target, { ...selection, rules: chosen }, { ...flags, seed }, varied.handlers, {
          signal,
        });
        await run({ ...options, ...varied, inOneVersion: true });
      } finally {
        await target.close();
      }
    },
    progress,
  );
}

/** So many of the last exchanges of a check, and so much of the end of each answer, tell why it gave a false alarm. */
const shown = { exchanges: 12, characters: 200 };

/** The findings, with the last exchanges of each false alarm, and the total last. */
export function describeSoundness({ latitudes: tried, falseAlarms, lateOnce }: Soundness): string[] {
  return [
    ...lateOnce.map(
      ({ rule, api, verdict, reason }) =>
        `${verdict} once, and not when it was tried again: ${rule} [${api}]: ${visibleLine(reason)}`,
    ),
    ...falseAlarms.flatMap(({ rule, api, verdict, reason, expected, actual, under, isLasting, exchanges }) => [
      `false alarm: ${rule} [${api}] ${verdict} under ${under.length > 0 ? under.join(', ') : 'several latitudes together'}${isLasting ? '' : ', but not every time'}`,
      ...(reason ? [`  ${visibleLine(reason)}`] : []),
      ...(expected ? [`  expected: ${visibleLine(expected)}`, `  actual: ${visibleLine(actual)}`] : []),
      ...exchanges.slice(-shown.exchanges).map((exchange) => `  ${visibleLine(inOneLine(exchange))}`),
    ]),
    `sound under ${tried.length} latitudes: ${falseAlarms.length} false alarm${falseAlarms.length === 1 ? '' : 's'}`,
  ];
}

/** The request and the end of its answer: what went wrong in a build or a pull is said there. */
function inOneLine({ request, answer, failure }: RecordedExchange): string {
  const end = answer?.body.text?.trim().slice(-shown.characters);
  return [`${request.method} ${request.path}:`, answer?.status, end, failure].filter(Boolean).join(' ');
}
