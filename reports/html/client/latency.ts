import { counted } from '../../counted.ts';
import type { Latency } from '../../latency.ts';
import { el } from './dom.ts';
import { embedded } from './embedded.ts';

/** How long the endpoints took, as a table that is closed at first. */
export function renderLatency(into: HTMLElement): void {
  const latency = embedded('latency');
  if (latency.length === 0) {
    into.remove();
    return;
  }
  const slowest = Math.max(...latency.map(({ medianMs }) => medianMs));
  into.append(
    el('h2', { id: 'latency-title' }, 'Latency'),
    el(
      'p',
      { class: 'says' },
      'From the request to the end of the answer, in milliseconds. Recorded, not judged; some endpoints are slow because they were asked to wait.',
    ),
    el(
      'details',
      { class: 'because' },
      el('summary', {}, el('span', { class: 'why' }, counted(latency.length, 'endpoint'))),
      el(
        'table',
        { class: 'latency' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ['Endpoint', 'Answers', 'Median', '95 of 100', 'Longest'].map((title) => el('th', { scope: 'col' }, title)),
          ),
        ),
        el(
          'tbody',
          {},
          latency.map((one) => row(one, slowest)),
        ),
      ),
    ),
  );
}

function row({ endpoint, answers, medianMs, p95Ms, maxMs }: Latency, slowest: number): HTMLElement {
  const bar = el('span', { class: 'took' });
  bar.style.width = `${slowest === 0 ? 0 : (100 * medianMs) / slowest}%`;
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, el('code', {}, endpoint), bar),
    [answers, medianMs, p95Ms, maxMs].map((number) => el('td', {}, number.toLocaleString('en'))),
  );
}
