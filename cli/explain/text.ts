import { ruleLine } from '../../reports/rule-line.ts';
import { visible } from '../../reports/visible.ts';
import { capabilities } from '../../specs/capabilities.ts';
import { versionsInWords } from '../../specs/versions.ts';
import type { Colors } from '../terminal/colors.ts';
import type { Explanation } from './explanation.ts';
import { clientLines, seenLines, tripLines } from './lines.ts';

const levels = {
  must: 'must (stated; a deviation is a failure)',
  should: 'should (stated, but loosely)',
  observe: 'observe (recorded, never judged)',
};

const labelWidth = 16;

/** An explanation for people. */
export function explanationText(of: Explanation, colors: Colors): string {
  const { interpretations, example, unchecked } = of;
  const isOfTokens = of.server === 'authorization';
  const lines = [
    colors.bold(of.id),
    ruleLine(of, of.says),
    '',
    ...entry('source', [of.source ?? '']),
    ...entry('read it in', of.read === undefined ? [] : [of.read]),
    ...entry('level', [levels[of.level]]),
    ...entry('kind', [of.kind]),
    ...entry(
      'versions',
      isOfTokens
        ? ['none: the endpoint has no API version; a run judges it once and gives that verdict in each of its versions']
        : [versionsInWords(of.apis), ...(of.later === undefined ? [] : [of.later])],
    ),
    ...entry(
      'interpretation',
      interpretations.flatMap(({ id, place, reading }) => [`${id}: ${place}`, `reading: ${reading}`]),
    ),
    ...entry(
      'needs',
      of.needs.map((need) => `${need}: ${capabilities[need]}`),
    ),
    ...entry('decides', of.decides ?? []),
    ...entry('check', [of.checked ? 'a check decides this rule' : `untested: ${unchecked ?? 'no check decides it'}`]),
    ...entry('proven by', of.faults),
    ...entry('code', placeLines(of)),
    ...(example ? exampleLines(example, isOfTokens) : []),
    '',
    ...entry('often because', of.causes),
    ...entry(
      'seen on',
      isOfTokens ? ['see docs/token-server.md for the verdicts on all token servers that were tried'] : seenLines(of),
    ),
    ...entry('clients', clientLines(of)),
    ...entry('trip over it', tripLines(of)),
  ];
  return `${lines.join('\n')}\n`;
}

function placeLines({ places: { rule, check, reference } }: Explanation): string[] {
  return [
    `rule: ${rule}`,
    ...(check === undefined ? [] : [`check: ${check}`]),
    ...(reference === undefined ? [] : [`reference engine: ${reference}`]),
  ];
}

function exampleLines(
  { api, verdict, reason, request, conforming, deviating }: NonNullable<Explanation['example']>,
  isOfTokens: boolean,
) {
  const why =
    verdict === 'pass' || verdict === 'observed' ? [] : [`none: ${verdict} on the reference engine: ${reason}`];
  const shown = isOfTokens ? 'the deciding request for a token' : `the deciding request, in API ${api}`;
  return [
    '',
    ...entry('example', [...why, ...(request ? [shown] : [])]),
    ...(request ? entry('', [`$ ${request.curl}`, ...marked('>', request.body)]) : []),
    ...(conforming ? entry('conforming', answerLines(conforming)) : []),
    ...(deviating
      ? entry('not conforming', [
          `${isOfTokens ? 'a token server' : 'a daemon'} that ${deviating.fault}`,
          ...(deviating.answer ? answerLines(deviating.answer) : []),
          ...visible(`expected: ${deviating.expected}`).split('\n'),
          ...visible(`actual: ${deviating.actual}`).split('\n'),
        ])
      : []),
  ];
}

type Answer = NonNullable<NonNullable<Explanation['example']>['conforming']>;

function answerLines({ status, headers, body, stream = [], failure }: Answer): string[] {
  return [
    ...(status === undefined ? [] : [`< ${status}`]),
    ...headers.map((header) => `< ${visible(header)}`),
    ...marked('<', body),
    ...stream,
    ...(failure === undefined ? [] : [`! ${visible(failure)}`]),
  ];
}

function marked(mark: string, body: string): string[] {
  return body === '' ? [] : [mark, ...visible(body).split('\n')];
}

function entry(label: string, values: readonly string[]): string[] {
  return values.map((value, place) => `${(place === 0 && label ? `${label}:` : '').padEnd(labelWidth)}${value}`);
}
