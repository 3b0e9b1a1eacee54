import { settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';

/** How often the process can be asked. */
const most = 30;
/** How long an engine may take to apply a new size. */
const appliedMs = 2_000;

/** Steps of the probe that report the size of its terminal once for each line of input. */
export const tellsSize: readonly string[] = [
  'raw',
  'out',
  'ready\\n',
  ...Array.from({ length: most }, () => ['echo-line', 'winsize']).flat(),
];

/** The size of a terminal, in lines and columns. */
export type WindowSize = readonly [h: number, w: number];

/**
 * Asks a process that runs `tellsSize` for its terminal size until a condition holds, or a bound runs out: an
 * engine may apply a new size a moment after it has answered.
 * @returns the last reported size
 * @throws Blocked when the process does not answer
 */
export async function toldSize(live: LiveExchange, satisfied: (size: WindowSize) => boolean): Promise<WindowSize> {
  await settled(live.receivedText('ready'), 'waiting for the process');
  let asked = 0;
  const ask = async (): Promise<WindowSize> => {
    asked++;
    live.write('\n');
    const told = sizesIn(await settled(waitFor(live, asked), 'asking for the size of the terminal'));
    const [h = 0, w = 0] = told.at(-1) ?? [];
    return [h, w];
  };
  return lookUntil(ask, (size) => satisfied(size) || asked === most, appliedMs);
}

function waitFor(live: LiveExchange, count: number): Promise<Buffer> {
  return live.receivedUntil(`${count} sizes`, (bytes) => sizesIn(bytes).length >= count);
}

function sizesIn(bytes: Buffer): number[][] {
  const lines = bytes.toString('latin1').match(/^\d+ \d+(?=\r?\n)/gm) ?? [];
  return lines.map((line) => line.split(' ').map(Number));
}
