import type { Generated } from '../harness/property/generation.ts';

/** How a generated test failed, line by line: the rule, the seed, the steps in words and the script. */
export function generatedLines({ seed, rule, runs, shrinks, steps, script }: Generated): string[] {
  return [
    ...(rule === undefined ? [] : [`deviates from: ${rule}`]),
    `found in run ${runs} and shrunk ${shrinks} times; --seed ${seed} repeats it`,
    ...steps.map((step, place) => `${place + 1}. ${step}`),
    ...script.trimEnd().split('\n'),
  ];
}
