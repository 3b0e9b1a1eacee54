import { readFileSync } from 'node:fs';
import type { Result } from '../../harness/events.ts';

const template = readFileSync(new URL('./judged-again.sh', import.meta.url), 'utf8');

/**
 * The shell function `judge_again`, which lets the suite judge a rule again: for what curl cannot show, or when a
 * daemon answers an earlier request differently than the judged daemon did.
 * @param tokenServer the address of the token endpoint, for a rule about it
 */
export function judgedAgain({ rule, api, verdict, generated }: Result, tokenServer?: string): string {
  const options = [
    ...(generated ? [`--seed ${generated.seed}`] : []),
    ...(tokenServer === undefined ? [] : [`--token-url '${tokenServer.replaceAll("'", '')}'`]),
  ];
  const values: Readonly<Record<string, string>> = {
    API: api,
    RULE: rule,
    // For sed.
    PATTERN: rule.replace(/[[\].*]/g, '\\$&'),
    OPTIONS: options.join(' '),
    // Without the deviation that blocks it, a rule is decided one way or the other.
    KEPT: verdict === 'blocked' ? 'pass | fail' : 'pass',
    VERDICTS: verdict === 'blocked' ? 'blocked' : 'fail',
  };
  return template.replace(/@([A-Z]+)@/g, (_, name: string) => values[name] ?? '');
}
