import type { Generated } from '../../../harness/property/generation.ts';
import { visible } from '../../visible.ts';
import { el } from './dom.ts';
import { copyable } from './exchanges.ts';

/** How a generated test failed: the rule, the seed, the steps, and the script that repeats them. */
export function renderGenerated({ seed, rule, runs, shrinks, steps, script }: Generated): HTMLElement {
  const found = `Found in run ${runs} and shrunk ${shrinks} times; --seed ${seed} repeats it.`;
  return el(
    'div',
    { class: 'generated' },
    rule === undefined ? '' : el('p', {}, 'Deviates from ', el('code', {}, rule), '.'),
    el('p', {}, found),
    el('ol', {}, ...steps.map((step) => el('li', {}, visible(step)))),
    copyable(script, 'script'),
  );
}
