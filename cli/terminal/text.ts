import type { RecordedExchange, Result, RunHandler, RunStarted } from '../../harness/events.ts';
import { endpointAsked } from '../../reports/causes/answers.ts';
import { causesOnce, type FindCauses } from '../../reports/causes/once.ts';
import { isNotReached } from '../../reports/causes/seen.ts';
import { confirmationText } from '../../reports/confirmation.ts';
import { counted, thousands } from '../../reports/counted.ts';
import { deviationsOf } from '../../reports/deviations.ts';
import { whenEnded } from '../../reports/run-record.ts';
import { standingInWords, standingOf } from '../../reports/standing.ts';
import { overall, summarize } from '../../reports/summary.ts';
import { targetName } from '../../reports/target-name.ts';
import { visibleLine } from '../../reports/visible.ts';
import type { Rule } from '../../specs/rule.ts';
import { beyondContract, versionsInWords } from '../../specs/versions.ts';
import { causeLines } from './causes.ts';
import type { Colors } from './colors.ts';
import { describeDeviation, headline, isNotable, type NotableResult } from './deviation.ts';
import { Progress, verdictsOf } from './progress.ts';
import type { Screen } from './screen.ts';
import { verdictTable } from './table.ts';

export interface TextOptions {
  readonly screen: Screen;
  readonly colors: Colors;
  /** The rules that are judged. */
  readonly rules: readonly Rule[];
  /** Shows only the end of the run. */
  readonly quiet: boolean;
  readonly findCauses?: FindCauses;
}

/**
 * Deviations shown in full; the others get a line each, as the reports have all of them. A log, which nobody scrolls
 * through, has each deviation once for all versions.
 */
const toldInFull = { live: 100, log: 10 };
/** How many deviations are named if nothing else is shown of them. */
const namedAtMost = 100;

/** Shows a run to people: progress, deviations as they come, and the table at the end. */
export function textReport({ screen, colors, rules, quiet, findCauses = causesOnce(rules) }: TextOptions): RunHandler {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const told = new Set<string>();
  const [mostInFull, once] = screen.isLive ? [toldInFull.live, ''] : [toldInFull.log, ', once for all versions'];
  /** The number of further rules blocked by the same incident, by its reason. */
  const alike = new Map<string, number>();
  let started: RunStarted | undefined;
  let progress: Progress | undefined;
  let lost = false;
  const atEnd = whenEnded(async (record) => {
    screen.clear();
    for (const [reason, number] of alike) {
      if (number > 0) screen.write(colors.yellow(`${thousands(number)} more blocked: ${visibleLine(reason)}`));
    }
    if (quiet) for (const line of names(record.results, colors)) screen.write(line);
    if (!quiet) screen.write(`\n${verdictTable(summarize(record.results), colors)}\n`);
    const causes = quiet ? [] : causeLines(await findCauses(record), colors);
    if (causes.length > 0) screen.write(`${causes.join('\n')}\n`);
    const standing = standingOf(record.results);
    const inWords = standingInWords(standing);
    if (inWords !== undefined && (causes.length > 0 || standing.known > 0)) screen.write(inWords);
    const { verdict, says } = overall(record);
    const paint = verdict === 'conforms' || verdict === 'waived' ? colors.green : colors.red;
    screen.write(`${paint(visibleLine(says))} ${(record.ended.durationMs / 1000).toFixed(1)} s.`);
  });

  const tell = async (result: NotableResult) => {
    if (result.verdict === 'blocked' && (lost || result.evidence.length === 0)) {
      const before = alike.get(result.reason);
      alike.set(result.reason, before === undefined ? 0 : before + 1);
      if (before !== undefined) return;
    }
    const deviation = JSON.stringify([result.rule, result.verdict, result.expected, result.actual]);
    const isKnown = told.has(deviation);
    if (isKnown && !screen.isLive) return;
    told.add(deviation);
    if (isKnown || told.size > mostInFull) {
      screen.write(headline(result, colors));
      return;
    }
    const [decisive, ...before] = await Promise.all(result.evidence.toReversed().map((id) => started?.exchange?.(id)));
    const isElsewhere = result.endpoint !== undefined && !isOwn(decisive, result);
    const asked = isElsewhere ? before.find((exchange) => isOwn(exchange, result)) : undefined;
    const changed =
      isElsewhere || isLook(decisive) ? before.find((exchange) => exchange && !isLook(exchange)) : undefined;
    const change = asked ?? changed;
    screen.write(`\n${describeDeviation(result, byId.get(result.rule), { decisive, change }, colors)}\n`);
    if (told.size === mostInFull)
      screen.write(colors.dim(`further deviations get a line each${once}; the reports have them in full`));
  };

  return async (event) => {
    if (event.type === 'run-started') {
      started = event;
      progress = new Progress(event, rules);
      if (!quiet) screen.write(banner(event, rules, colors));
    } else if (event.type === 'verdict' && !quiet) {
      const { result } = event;
      progress?.add(result);
      if (isNotable(result.verdict)) await tell({ ...result, verdict: result.verdict });
      screen.show(() => progress?.lines(colors) ?? []);
    } else if (event.type === 'confirmed') {
      const { rule, api, confirmation } = event.result;
      if (confirmation && !quiet) screen.write(`${rule} [${api}] ${confirmationText(confirmation)}`);
    } else if (event.type === 'target-lost') {
      lost = true;
      screen.write(colors.red(`the target was lost after ${event.after}: ${visibleLine(event.reason)}`));
    } else if (event.type === 'target-restarted') {
      screen.write(colors.red(`the target died after ${event.after} and came back: ${visibleLine(event.reason)}`));
    } else if (event.type === 'clean-up') {
      screen.write(colors.yellow(`could not be removed from the target: ${someOf(event.left)}`));
    }
    await atEnd(event);
  };
}

/** Whether a request changes nothing. */
function isLook(exchange: RecordedExchange | undefined): boolean {
  return exchange?.request.method === 'GET' || exchange?.request.method === 'HEAD';
}

/** Whether a request goes to the rule's endpoint. */
function isOwn(exchange: RecordedExchange | undefined, { endpoint }: Result): boolean {
  return exchange !== undefined && endpointAsked(exchange) === endpoint;
}

/** What needs attention, one line each, and a line for all that the run did not reach; the reports have the rest. */
function names(results: readonly Result[], colors: Colors): string[] {
  const notReached = results.filter(isNotReached);
  const deviations = deviationsOf(results.filter((result) => !isNotReached(result)));
  const lines = deviations.slice(0, namedAtMost).flatMap(({ apis, result }) => {
    const { verdict } = result;
    return isNotable(verdict) ? [headline({ ...result, verdict }, colors, apis)] : [];
  });
  const rest = deviations.length - namedAtMost;
  return [
    ...lines,
    ...(rest > 0 ? [`and ${thousands(rest)} more`] : []),
    ...(notReached.length > 0
      ? [colors.yellow(`■ ${counted(notReached.length, 'verdict')} blocked, as the run ended first`)]
      : []),
  ];
}

/** The first of possibly thousands; the reports have all of them. */
function someOf(left: readonly string[]): string {
  const most = 20;
  const shown = left.slice(0, most).map(visibleLine).join(', ');
  return left.length > most ? `${shown} and ${left.length - most} more` : shown;
}

function banner(
  { tool, target, apis, seed, total, settings, slow }: RunStarted,
  rules: readonly Rule[],
  colors: Colors,
): string {
  const needed = new Set<string>(rules.flatMap(({ needs }) => needs));
  const lacks = Object.entries(target.lacks).filter(([name]) => needed.has(name));
  const beyond = beyondContract(target.apiVersion);
  const lines = [
    `${tool.name} ${tool.version} judges ${visibleLine(targetName(target))} at ${visibleLine(target.address)}`,
    `${verdictsOf(total)} in API ${versionsInWords(apis)}; dialect ${visibleLine(target.dialect)}, seed ${seed}`,
    ...(settings?.config === undefined ? [] : [`settings from ${visibleLine(settings.config)}`]),
    ...(beyond === undefined ? [] : [colors.yellow(visibleLine(beyond))]),
    ...(target.tokenServer === undefined || target.tokenServer === target.address
      ? []
      : [`tokens from ${visibleLine(target.tokenServer)}`]),
    ...(slow === undefined ? [] : [colors.yellow(slow)]),
    ...lacks.map(([name, why]) => colors.yellow(`lacks ${name}: ${visibleLine(why)}`)),
  ];
  return lines.join('\n');
}
