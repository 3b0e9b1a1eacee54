import type { Result, RunHandler, Traffic } from '../../harness/events.ts';
import type { LiveTraffic } from '../../proxy/run.ts';
import { causesOf } from '../../reports/causes/causes.ts';
import { whenEnded } from '../../reports/run-record.ts';
import { overall, summarize } from '../../reports/summary.ts';
import { targetName } from '../../reports/target-name.ts';
import { clientLine, clientLines, passedLines, trafficInWords } from '../../reports/traffic.ts';
import { visibleLine } from '../../reports/visible.ts';
import { causeLines } from './causes.ts';
import type { Colors } from './colors.ts';
import { verdictTable } from './table.ts';

export interface LiveTrafficOptions {
  readonly write: (line: string) => void;
  readonly colors: Colors;
  /** Whether a result is a deviation that is not in the baseline. */
  readonly isNew: (result: Result) => boolean;
  /** Shows only the end. */
  readonly quiet: boolean;
}

/** Shows traffic to people: a line for each violation when it first occurs, and the outcome at the end. */
export function liveTraffic(options: LiveTrafficOptions): LiveTraffic & { readonly handler: RunHandler } {
  const { write, colors, isNew, quiet } = options;
  const tell = (text: string) => {
    if (!quiet) write(`${new Date().toISOString().slice(11, 23)} ${text}`);
  };
  const tellClients = (traffic: Traffic) => {
    const deviates = traffic.clients.some(({ weight }) => weight === 'deviates');
    write((deviates ? colors.yellow : colors.green)(trafficInWords(traffic)));
    if (!quiet) for (const line of clientLines(traffic)) write(`  ${visibleLine(line)}`);
  };
  return {
    listening(address, { identity }) {
      tell(
        visibleLine(
          `passing traffic from ${address} to ${targetName(identity)} at ${identity.address}; Ctrl-C ends it`,
        ),
      );
    },
    violated(result) {
      const { rule, api, level, endpoint = '', expected, actual, evidence } = result;
      const paint = !isNew(result) ? colors.dim : level === 'must' ? colors.red : colors.yellow;
      const weight = isNew(result) ? (level === 'must' ? '' : ` (${level})`) : ' (known)';
      const what = visibleLine(`${endpoint}: expected ${expected}, got ${actual} (exchange ${evidence.join(', ')})`);
      tell(`${paint(`daemon${weight}`)} ${colors.bold(visibleLine(rule))} [${api}] ${what}`);
    },
    clientDeviated(deviation) {
      const paint = deviation.weight === 'deviates' ? colors.yellow : colors.dim;
      tell(paint(visibleLine(clientLine(deviation))));
    },
    say: (line) => tell(colors.yellow(visibleLine(line))),
    handler: whenEnded(async (record) => {
      const { traffic } = record.ended;
      write('');
      if (traffic) tellClients(traffic);
      const causes = causeLines(await causesOf(record), colors);
      write(causes.length > 0 ? `Daemon, ${causes.join('\n')}` : 'Daemon: no deviation seen.');
      if (!quiet) write(`\n${verdictTable(summarize(record.results.filter(isDecided)), colors)}\n`);
      if (traffic) for (const line of passedLines(traffic)) write(visibleLine(line));
      const { verdict, says } = overall(record);
      const paint = verdict === 'conforms' || verdict === 'waived' ? colors.green : colors.red;
      write(paint(visibleLine(`Daemon: ${says}`)));
    }),
  };
}

/** The table leaves out what the traffic did not show. */
function isDecided({ verdict }: Result): boolean {
  return verdict !== 'skip' && verdict !== 'untested';
}
