import type { RunHandler } from '../harness/events.ts';

/** The commands that write the reports of a run. */
export type ReportingCommand = 'run' | 'merge' | 'proxy';

/** A report that is written where an option asks for it. */
export interface AskedReporter {
  /** As the help shows it. */
  readonly option: `--${string} <dir>` | `--${string} <file>`;
  readonly says: string;
  /** What a message calls it. */
  readonly named: string;
  /** The commands that have the option. */
  readonly of: readonly ReportingCommand[];
  /** Loaded when it is asked for, so that help is quick. @returns what makes the handler that writes to a place */
  readonly load: () => Promise<(place: string) => RunHandler>;
}

/** Each by the name of its option. A new one is a file in `reports/` and a row here (CONTRIBUTING.md). */
export const askedReporters = {
  allure: {
    option: '--allure <dir>',
    says: 'directory for Allure results',
    named: 'the Allure results',
    of: ['run', 'merge', 'proxy'],
    load: async () => (await import('../reports/allure.ts')).allureReport,
  },
  har: {
    option: '--har <file>',
    says: 'write every exchange to this HTTP archive (HAR 1.2), for other tools',
    named: 'the HTTP archive',
    of: ['proxy'],
    load: async () => (await import('../reports/har.ts')).harReport,
  },
} as const satisfies Readonly<Record<string, AskedReporter>>;

type ReporterName = keyof typeof askedReporters;

/** Where each report that was asked for is to be written. */
export type ReporterFlags = { readonly [Name in ReporterName]?: string | undefined };

const all: readonly (readonly [name: string, reporter: AskedReporter])[] = Object.entries(askedReporters);

/** The reporters that a command has an option for. */
export function reportersOf(command: ReportingCommand): readonly AskedReporter[] {
  return all.flatMap(([, reporter]) => (reporter.of.includes(command) ? [reporter] : []));
}

/** The reports that the flags ask for, each with its place. */
export function askedIn(flags: ReporterFlags): readonly (AskedReporter & { readonly place: string })[] {
  const places: Readonly<Record<string, string | undefined>> = flags;
  return all.flatMap(([name, reporter]) => {
    const place = places[name];
    return place === undefined ? [] : [{ ...reporter, place }];
  });
}
