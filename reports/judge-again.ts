import type { Result, RunSettings, RunStarted } from '../harness/events.ts';
import { shellWord } from './shell-word.ts';

/** The options of a run that its report repeats in a command. */
export function repeatedOptions({ target, settings }: Pick<RunStarted, 'target' | 'settings'>): readonly string[] {
  const { embedded, hostile, corsOrigin }: Pick<RunSettings, 'embedded' | 'hostile' | 'corsOrigin'> = settings ?? {};
  const option = target.address === target.tokenServer ? '--token-url' : '--target';
  return [
    ...(embedded === true ? [] : [option, target.address]),
    ...(hostile === true ? ['--hostile'] : []),
    ...(corsOrigin === undefined ? [] : ['--cors-origin', corsOrigin]),
  ];
}

/** The command that judges one rule again, in the same versions and with the same values. */
export function judgeAgain(
  options: readonly string[],
  { rule, apis, generated }: Pick<Result, 'rule' | 'generated'> & { readonly apis: readonly string[] },
): string {
  const words = [
    ...options,
    ...(apis.length > 0 ? ['--api', apis.join(',')] : []),
    '--only',
    rule,
    ...(generated ? ['--seed', String(generated.seed)] : []),
  ];
  return ['engine-conformance run', ...words.map(shellWord)].join(' ');
}
