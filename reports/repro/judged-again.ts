import { readFileSync } from 'node:fs';
import type { Result } from '../../harness/events.ts';

const template = readFileSync(new URL('./judged-again.sh', import.meta.url), 'utf8');

interface Why {
  /** Why curl cannot show it. */
  readonly reason: string;
  /** The address of the token endpoint, for a rule about it. */
  readonly tokenServer?: string | undefined;
}

/** Lines that let the suite judge a rule again, for what curl cannot show. */
export function judgedAgain({ rule, api, verdict, generated }: Result, { reason, tokenServer }: Why): string {
  const options = [
    ...(generated ? [`--seed ${generated.seed}`] : []),
    ...(tokenServer === undefined ? [] : [`--token-url '${tokenServer.replaceAll("'", '')}'`]),
  ];
  const values: Readonly<Record<string, string>> = {
    REASON: reason.replace(/\s+/g, ' '),
    API: api,
    RULE: rule,
    // For sed.
    PATTERN: rule.replace(/[[\].*]/g, '\\$&'),
    OPTIONS: options.join(' '),
    // Without the deviation that blocks it a rule is decided, for good or bad.
    KEPT: verdict === 'blocked' ? 'pass | fail' : 'pass',
    VERDICTS: verdict === 'blocked' ? 'blocked' : 'fail',
  };
  return template.replace(/@([A-Z]+)@/g, (_, name: string) => values[name] ?? '');
}
