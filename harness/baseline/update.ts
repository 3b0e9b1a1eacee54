import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Document, isMap, isSeq, parseDocument, Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, compareVersions } from '../../specs/versions.ts';
import type { Result } from '../events.ts';
import { apisWithoutList } from './apis.ts';
import type { Baseline, BaselineEntry } from './baseline.ts';
import { covers, tellsNothing } from './covers.ts';
import { fingerprintOf } from './fingerprint.ts';
import { unreviewed } from './unreviewed.ts';

/** How a baseline was changed, by number of entries. */
export interface BaselineUpdate {
  readonly added: number;
  readonly removed: number;
  readonly narrowed: number;
}

const header = ' Known deviations. Verify each entry in raw bytes, and write its reason.';

/**
 * Updates a baseline to what a run showed, and writes its file: deviations without an entry get one, an entry loses the
 * versions in which it no longer holds, and an entry without versions is removed. What the run did not judge is kept,
 * and so are comments.
 * @param results the verdicts of a whole run, before anything was waived
 */
export function updateBaseline(baseline: Baseline, results: readonly Result[]): BaselineUpdate {
  const document = documentOf(baseline);
  const list = entriesOf(document);
  const covered = new Set<Result>();
  const removed: number[] = [];
  let narrowed = 0;
  for (const [index, entry] of baseline.entries.entries()) {
    const apis = entry.apis.filter((api) => {
      const judged = results.filter((one) => one.api === api && entry.rules.includes(one.rule));
      const held = judged.filter((result) => covers(entry, result));
      for (const result of held) covered.add(result);
      return held.length > 0 || judged.every((result) => tellsNothing(entry, result));
    });
    if (apis.length === entry.apis.length) continue;
    if (apis.length === 0) removed.push(index);
    else {
      narrowed++;
      const item = list.items[index];
      if (isMap(item)) item.set('apis', quoted(document, apis));
    }
  }
  list.items = list.items.filter((_item, index) => !removed.includes(index));
  const fresh = newEntries(
    results.filter((result) => isDeviation(result) && !covered.has(result) && !isKnownByRule(result, results)),
  );
  for (const entry of fresh) list.add(itemOf(document, entry));
  // An empty list is written rather than an empty file, which the next run could not read. Long texts stay on one line.
  const isChanged = fresh.length + removed.length + narrowed > 0 || !existsSync(baseline.file);
  if (isChanged) writeFileSync(baseline.file, document.toString({ lineWidth: 0 }));
  return { added: fresh.length, removed: removed.length, narrowed };
}

function isDeviation({ verdict }: Result): boolean {
  return verdict === 'fail' || verdict === 'blocked';
}

/** A property leaves out the rules in the baseline, so it holds once its failing rule has an entry. */
function isKnownByRule({ generated, api }: Result, results: readonly Result[]): boolean {
  return results.some((one) => one.rule === generated?.rule && one.api === api && isDeviation(one));
}

function documentOf({ file }: Baseline): Document {
  const document: Document = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '');
  if (isSeq(document.contents)) return document;
  document.contents = document.createNode([]);
  // From now on the comments of a file without entries precede the first one.
  document.commentBefore = document.commentBefore ?? document.comment ?? header;
  document.comment = null;
  return document;
}

function entriesOf(document: Document): YAMLSeq {
  const { contents } = document;
  if (!isSeq(contents)) throw new Error('a baseline that was read is a list');
  contents.flow = false;
  return contents;
}

type NewEntry = Pick<BaselineEntry, 'rule' | 'apis' | 'verdict' | 'does'> & { readonly fingerprint: string };

/** One entry per deviation, with all versions in which it is the same. */
function newEntries(results: readonly Result[]): NewEntry[] {
  const groups = new Map<string, NewEntry>();
  for (const result of results) {
    const fingerprint = fingerprintOf(result);
    const verdict = result.verdict === 'blocked' ? 'blocked' : 'fail';
    const key = JSON.stringify([result.rule, verdict, fingerprint]);
    const apis = [...(groups.get(key)?.apis ?? []), result.api];
    groups.set(key, { rule: result.rule, apis, verdict, does: groups.get(key)?.does ?? doesOf(result), fingerprint });
  }
  return [...groups.values()];
}

function doesOf({ verdict, actual, reason }: Result): string {
  const [line = ''] = (verdict === 'blocked' ? reason : actual).split('\n');
  const text = line.trim() || 'deviates';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

function itemOf(document: Document, { rule, apis, verdict, does, fingerprint }: NewEntry): YAMLMap {
  const name = isRuleId(rule) ? (rulebook[rule] satisfies Rule) : undefined;
  const isAll = name !== undefined && apisWithoutList(name).join() === apis.toSorted(compareVersions).join();
  const item = document.createNode({
    rule,
    ...(!isAll && { apis: quoted(document, apis) }),
    ...(verdict === 'blocked' && { verdict }),
    does,
    reason: unreviewed,
    fingerprint: quotedText(fingerprint),
  });
  item.spaceBefore = true;
  return item;
}

/** `['1.20', '1.21']`: without quotes YAML reads 1.20 as a number. */
function quoted(document: Document, apis: readonly ApiVersion[]): YAMLSeq {
  const list = document.createNode(apis.toSorted(compareVersions).map(quotedText), { flow: true });
  if (!isSeq(list)) throw new Error('a list of versions is a list');
  return list;
}

function quotedText(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = 'QUOTE_SINGLE';
  return scalar;
}
