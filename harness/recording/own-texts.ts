import { METHODS, STATUS_CODES } from 'node:http';
import { allEndpoints, allRules } from '../../specs/catalogue.ts';
import { interpretations } from '../../specs/interpretations.ts';
import { clientId } from '../token/token-server.ts';

/** Words of requests, reports and messages that are not in any rule. */
const others = [
  ...[
    'accept application/json application/x-www-form-urlencoded authorization basic bearer content-type host user-agent',
  ],
  ...['http https localhost registry repository test error message status answer request expected actual evidence'],
  ...[
    'pass fail blocked skip observed waived untested must should observe true false null undefined engine token server',
  ],
  ...[...METHODS, ...Object.values(STATUS_CODES), clientId],
];

let known: string | undefined;

/**
 * Whether a text is part of what the suite itself writes everywhere: names and sentences of rules, parameters of
 * requests, words of reports. Case is ignored.
 */
export function isOwnText(text: string): boolean {
  known ??= [
    ...allRules.flatMap(({ id, says, source }) => [id, says, source[1]]),
    ...allEndpoints.flatMap(({ path, summary }) => [path, summary]),
    ...Object.values(interpretations).flatMap(({ place, reading }) => [place, reading]),
    ...others,
  ]
    .join('\n')
    .toLowerCase();
  return known.includes(text.toLowerCase());
}
