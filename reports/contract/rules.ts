import { isFieldRule } from '../../specs/catalogue.ts';
import { laterInWords } from '../../specs/export/later.ts';
import { interpretations } from '../../specs/interpretations.ts';
import type { Rule } from '../../specs/rule.ts';
import type { Source } from '../../specs/statement.ts';
import type { Span } from '../../specs/versions.ts';
import { type Entry, link, section, text } from './markup.ts';

/** The rules of a page, field rules separately, each with its anchor; then how loose passages are read. */
export function ruleSections(rules: readonly Rule[], source?: Source): string {
  const ofBodies = rules.filter((rule) => isFieldRule(rule) && rule.id.includes('.body.'));
  const ofAnswers = rules.filter((rule) => isFieldRule(rule) && !rule.id.includes('.body.'));
  const generated = rules.filter(({ kind }) => kind === 'property');
  const others = rules.filter((rule) => !isFieldRule(rule) && rule.kind !== 'property');
  const entries = (some: readonly Rule[]) => some.map((rule) => ruleEntry(rule, source));
  return [
    section('Rules', entries(others)),
    section('Rules on request fields', entries(ofBodies)),
    section('Rules on response fields', entries(ofAnswers)),
    section('Generated tests', entries(generated)),
    section('How loose statements are read', readings(rules)),
  ].join('');
}

function ruleEntry(rule: Rule, source: Source | undefined): Entry {
  const isElsewhere = source === undefined || rule.source[0] !== source[0] || rule.source[1] !== source[1];
  const further = [
    text(laterInWords(rule)),
    isElsewhere ? text(`Document ${rule.source[0]}, ${rule.source[1]}`) : '',
    rule.interpretations.length > 0
      ? `reading ${rule.interpretations.map((id) => link(`#reading-${id}`, id)).join(', ')}`
      : '',
    rule.unchecked === undefined ? '' : text(`no check: ${rule.unchecked}`),
  ];
  return {
    id: rule.id,
    name: rule.id,
    tags: [rule.level, spanInWords(rule)],
    says: [text(rule.says), ...further.filter(Boolean).map((html) => `<span class="more">${html}</span>`)].join(' '),
  };
}

function readings(rules: readonly Rule[]): Entry[] {
  const ids = [...new Set(rules.flatMap((rule) => rule.interpretations))];
  return ids.map((id) => ({
    id: `reading-${id}`,
    name: id,
    tags: [],
    says: `${text(interpretations[id].place)} <span class="more">${text(interpretations[id].reading)}</span>`,
  }));
}

/** `since 1.21, until 1.23`; empty for what every version has. */
export function spanInWords({ since, until }: Span): string {
  if (since !== undefined && since === until) return `${since} only`;
  return [since && `since ${since}`, until && `until ${until}`].filter(Boolean).join(', ');
}
