import type { RunHandler } from '../../harness/events.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { namedDialect } from '../../harness/target/dialect.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { runProxy } from '../../proxy/run.ts';
import { causesOnce } from '../../reports/causes/once.ts';
import { visibleLine } from '../../reports/visible.ts';
import { useBaseline } from '../baseline-option.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { type OutputFlags, outputOf, say } from '../output.ts';
import { reportFiles } from '../report-files.ts';
import type { ReporterFlags } from '../reporters.ts';
import { type SelectionFlags, select } from '../selection.ts';
import { tally } from '../tally.ts';
import { colorsFor } from '../terminal/colors.ts';
import { liveTraffic } from '../terminal/live-traffic.ts';
import { thisTool } from '../tool.ts';

export interface ProxyFlags extends SelectionFlags, OutputFlags, ReporterFlags {
  readonly upstream: string;
  readonly listen: string;
  readonly dialect: string;
  readonly timeout: number;
  readonly baseline?: string;
  readonly report: string;
  readonly failOn: 'must' | 'should';
  readonly failOnClient?: boolean;
}

/** Passes traffic to a daemon until Ctrl-C, judges it and writes the reports. @returns the exit status */
export async function proxyCommand(flags: ProxyFlags): Promise<number> {
  const { apis, rules } = select(flags);
  const [upstream, listen] = [plainAddress(flags.upstream), plainAddress(flags.listen)];
  if (flags.dialect !== 'auto') await namedDialect(flags.dialect);
  // Entries that the traffic did not show are not a reason to fail, so here the baseline only waives.
  const baseline = useBaseline(flags.baseline === undefined ? {} : { baseline: flags.baseline });
  const findCauses = causesOnce();
  const files = reportFiles(flags.report, { failOn: flags.failOn, findCauses }, flags);
  const output = await outputOf({ ...flags, quiet: true }, rules, findCauses);
  const verdicts = tally();
  const isText = flags.format === 'text';
  const told = liveTraffic({
    // Only data goes to standard output.
    write: (line) => (isText ? process.stdout.write(`${line}\n`) : say(line)),
    colors: colorsFor(isText ? process.stdout : process.stderr),
    isNew: baseline.isNew,
    quiet: flags.quiet === true,
  });
  const clients = clientTally();
  const shown = isText ? [told.handler] : output.handlers;
  const interrupt = watchInterrupt(() => {});
  try {
    await runProxy({
      ...{ upstream, listen, rules },
      ...(apis && { apis }),
      dialect: flags.dialect,
      timeoutMs: flags.timeout,
      tool: thisTool(),
      handlers: baseline.over([verdicts.handler, clients.handler, ...shown, ...files.handlers]),
      live: told,
      keepAll: flags.har !== undefined,
      signal: interrupt.signal,
    });
  } finally {
    interrupt.stop();
  }
  await output.report(files.json);
  for (const line of files.problems) say(visibleLine(line));
  if (isText) say(`Reports: ${files.directory}`);
  if (files.problems.length > 0) return exitStatus.failed;
  const status = verdicts.status(flags.failOn);
  const isGood = status === exitStatus.kept || status === exitStatus.inconclusive;
  return isGood && flags.failOnClient === true && clients.deviate ? exitStatus.deviates : status;
}

/** The bytes of a TLS connection cannot be read in transit. */
function plainAddress(text: string) {
  const address = parseAddress(text);
  if (address.kind === 'tcp' && address.tls)
    throw new UsageError(`'${text}': the proxy cannot read TLS; use unix:// or tcp://`);
  return address;
}

function clientTally(): { readonly handler: RunHandler; readonly deviate: boolean } {
  let deviate = false;
  return {
    handler(event) {
      if (event.type === 'run-ended')
        deviate = event.traffic?.clients.some(({ weight }) => weight === 'deviates') === true;
    },
    get deviate() {
      return deviate;
    },
  };
}
