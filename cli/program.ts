import { Command, Option } from 'commander';
import { preloadWorker } from '../harness/runner/worker.ts';
import { documentedVersions, newestVersion } from '../specs/versions.ts';
import { checksEntry } from './checks-entry.ts';
import { defaultConcurrency } from './default-concurrency.ts';
import { collect, levels, parseApis, parseApiWishes, seconds, shard, wholeNumber } from './option-values.ts';
import { type ReportingCommand, reportersOf } from './reporters.ts';
import { thisTool } from './tool.ts';

const documented = documentedVersions.join(',');
const defaultTimeoutMs = 30_000;
const largestSeed = 2 ** 31 - 1;

/** The headings of options in the help. */
const groups = {
  target: 'Target:',
  tokens: 'Token server:',
  selection: 'What to judge:',
  judging: 'How to judge:',
  verdicts: 'What counts as a failure:',
  reports: 'Reports and output:',
  settings: 'Project settings:',
} as const;

const exitStatuses = `
Exit status:
  0    nothing fails beyond the baseline
  1    a deviation, or a baseline entry that no longer holds
  2    wrong usage
  3    the target could not be reached, or died
  4    nothing conclusive ran
  5    the kit itself failed
  130  interrupted by Ctrl-C (143: SIGTERM, 129: SIGHUP), after cleaning up
`;

/**
 * The commands and their options. What a command needs is loaded when it is chosen, so that help is quick.
 * @param ended takes the exit status of the command that ran
 */
export function buildProgram(ended: (status: number) => void): Command {
  const tool = thisTool();
  const program = new Command(tool.name)
    .description('judges a container engine daemon against its contract, rule by rule and version by version')
    .version(tool.version)
    .exitOverride()
    .configureOutput({ outputError: (message, write) => write(oneLine(message)) });

  const command = (text: string, description: string) => {
    const made = program.command(text).description(description).allowExcessArguments(false);
    return made.showSuggestionAfterError(true);
  };

  reporting(judging(command('run', 'run the checks against a target (default: the embedded reference engine)')), 'run')
    .addHelpText('after', exitStatuses)
    .optionsGroup(groups.selection)
    .option('--rerun-failed <report>', 'judge only what failed or was blocked in this report')
    .option('--shard <i/n>', 'judge only the i-th of n parts of the rules; merge joins the reports', shard)
    .optionsGroup(groups.verdicts)
    .option('--baseline <file>', 'YAML list of known deviations to waive')
    .option(
      '--update-baseline',
      'add the deviations of this run to the baseline, and remove entries that no longer hold',
    )
    .addOption(failOn('lowest level at which a deviation counts'))
    .optionsGroup(groups.judging)
    .option('--hostile', 'also send requests that no client should send; use it only on a daemon that may break')
    .optionsGroup(groups.settings)
    .option(
      '--config <file>',
      'YAML file of settings, keyed by option name; the command line takes precedence (default: engine-conformance.yaml, if it exists)',
    )
    .optionsGroup(groups.reports)
    .option('--all-exchanges', 'keep every exchange in report.json, not only those that a verdict rests on')
    .optionsGroup(groups.judging)
    .option(
      '--once',
      'judge each rule in one version: the newest documented one that has it; takes about half the time',
    )
    .option('--wait-restart', 'when the target dies, wait up to two minutes for it to come back, then go on')
    .option('--watch', 'keep running, and judge again whenever the target comes back; Ctrl-C ends')
    .option('--confirm <n>', 'run what failed n more times, alone and in order', wholeNumber(1, 100))
    .addOption(
      new Option('--bail [n]', 'end the run after n failures (without n: one); what is known by then is reported')
        .preset('1')
        .argParser(wholeNumber(1, 1_000_000)),
    )
    .action(async (_flags, run: Command) => {
      // The other thread begins as early as this one.
      preloadWorker(checksEntry);
      await (await import('./config/use-config.ts')).useConfig(run);
      ended(await (await import('./commands/run.ts')).runCommand(run.opts()));
    });

  selectingOfContract(command('list', 'list the rules'))
    .option('--untested', 'only rules without a check')
    .addOption(formats(['text', 'json']))
    .action(async (flags) => ended(await (await import('./commands/list.ts')).listCommand(flags)));

  command('explain', 'explain a rule, with an answer that keeps it and one that does not')
    .argument('<rule>', 'id of the rule, or a pattern as for --only to explain several rules without example answers')
    .addOption(formats(['text', 'json']))
    .option('--no-example', 'leave out the example answers, which need a run of the check on the embedded engine')
    .action(async (rule: string, flags) =>
      ended(await (await import('./commands/explain.ts')).explainCommand(rule, flags)),
    );

  command('contract', 'write the contract for other tools, or print the differences between two versions')
    .option('--api <versions>', `API versions, separated by commas (default: ${documented})`, parseApis)
    .addOption(
      new Option('--format <format>', 'what to write').choices(['openapi', 'json-schema', 'rules', 'markdown', 'html']),
    )
    .option('--out <dir>', 'directory to write to')
    .option('--diff <versions...>', 'two versions to compare')
    .option('--figures', 'print the size of the contract: its rules, endpoints and schemas')
    .action(async (flags) => ended((await import('./commands/contract.ts')).contractCommand(flags)));

  reporting(command('merge', "join the reports of a run's shards"), 'merge')
    .argument('<reports...>', 'report.json of each shard, or its directory')
    .action(async (reports: string[], flags) =>
      ended(await (await import('./commands/merge.ts')).mergeCommand(reports, flags)),
    );

  command('compare', 'compare the reports of several engines, releases or dates in one matrix')
    .argument(
      '<reports...>',
      'report.json files, their directories, a folder of such directories, or NAME=FILE; each report is compared with the first of the same engine',
    )
    .option('--out <dir>', 'directory for comparison.html, comparison.md and comparison.json')
    .option(
      '--site <dir>',
      'directory for a static site: the comparison, trends over releases, the contract, and a page and a badge for each report',
    )
    .addOption(failOn('lowest level at which a deviation counts as a regression'))
    .addOption(new Option('--format <format>', 'what to print').choices(['markdown', 'json']).default('markdown'))
    .action(async (reports: string[], flags) =>
      ended(await (await import('./commands/compare.ts')).compareCommand(reports, flags)),
    );

  command('repro', 'print a shell script that reproduces a failure: it exits with 1 while the deviation is there')
    .argument('<rule>', 'id of the rule')
    .requiredOption('--report <report>', 'report.json of the run, or its directory')
    .option('--api <version>', 'the API version (default: the newest in which the rule failed)')
    .option('--markdown', 'print an issue ready to paste instead: what was expected, what came, and the script')
    .action(async (rule: string, flags) =>
      ended(await (await import('./commands/repro.ts')).reproCommand(rule, flags)),
    );

  command('verify', 'check that a report is complete and unedited')
    .argument('<report>', 'report.json, or its directory')
    .action(async (report: string) => ended(await (await import('./commands/verify.ts')).verifyCommand(report)));

  authorizing(command('serve', 'serve the reference engine, the reference token server or both, until Ctrl-C'))
    .option('--listen <address>', 'where the engine listens: unix:///path/to/socket or tcp://host:port')
    .option('--token <address>', 'where the token server listens: tcp://host:port')
    .addOption(
      new Option('--dialect <name>', 'dialect to speak: how brand words are written')
        .choices(['engine', 'docker'])
        .default('engine'),
    )
    .option(
      '--api <versions>',
      `API versions to serve, separated by commas (default: ${documented}); newest means ${newestVersion}`,
      parseApis,
    )
    .option(
      '--cors-origin <origin>',
      'origin that browsers may call from, or * (as with api-cors-header; default: none)',
    )
    .option(
      '--fault <rule>',
      'rule to break on purpose, with the first fault of its check (RULE#2: the second); may be repeated',
      collect,
    )
    .option('--tls-cert <file>', 'certificate of the engine (PEM); give --tls-key too, to serve TLS')
    .option('--tls-key <file>', 'key of the certificate (PEM)')
    .option('--tls-ca <file>', 'CA certificates (PEM); clients then need a certificate signed by one of them')
    .action(async (flags) => ended(await (await import('./commands/serve.ts')).serveCommand(flags)));

  const proxy = command('proxy', 'pass the traffic of any client to a daemon unchanged and judge it, until Ctrl-C')
    .requiredOption('--upstream <address>', 'the daemon: unix:///path/to/socket or tcp://host:port')
    .requiredOption('--listen <address>', 'where clients connect: unix:///path/to/socket or tcp://host:port');
  reporting(exchanging(selecting(proxy, 'all that the daemon serves')), 'proxy')
    .option('--baseline <file>', 'YAML list of known deviations to waive')
    .addOption(failOn('lowest level at which a deviation of the daemon counts'))
    .option('--fail-on-client', 'count deviations of clients as well')
    .action(async (flags) => ended(await (await import('./commands/proxy.ts')).proxyCommand(flags)));

  exchanging(
    selecting(tokensFrom(targeting(command('doctor', 'show what a target can do, what a run would skip, and why')))),
  )
    .option('--image <name>', 'probe image that is already on the target')
    .action(async (flags) => ended(await (await import('./commands/doctor.ts')).doctorCommand(flags)));

  targeting(command('clean', 'remove what interrupted runs left on a target'))
    .addOption(timeout())
    .action(async (flags) => ended(await (await import('./commands/clean.ts')).cleanCommand(flags)));

  judging(
    command('prove', 'run every check under its faults, where it must fail, and under latitudes, where it must not'),
  )
    .option(
      '--matrix <file>',
      'write to this JSON file every trial, and the other rules of its endpoint that each fault reddens',
    )
    .option('--faults', 'try only faults')
    .option('--latitudes', 'try only latitudes')
    .option('--latitude <name>', 'try only this latitude; may be repeated', collect)
    .action(async (flags) => ended(await (await import('./commands/prove.ts')).proveCommand(flags)));

  return program;
}

/** The options of commands that run checks. */
function judging(command: Command): Command {
  return exchanging(selecting(tokensFrom(targeting(command))))
    .optionsGroup(groups.target)
    .option('--image <name>', 'probe image that is already on the target')
    .option('--cors-origin <origin>', 'value of api-cors-header that the daemon was started with')
    .optionsGroup(groups.judging)
    .option(
      '--seed <n>',
      'seed for everything random (default: a new one, which is printed)',
      wholeNumber(0, largestSeed),
    )
    .option(
      '--runs <n>',
      'runs of each generated test (default: each test has its own number)',
      wholeNumber(1, 1_000_000),
    )
    .addOption(
      new Option(
        '--max-time <s>',
        'time limit of a generated test in one version, in seconds (default: 10; none with --runs)',
      ).argParser(seconds),
    )
    .option(
      '--concurrency <n>',
      `checks to run at the same time (default: three for each processor of the daemon, ${defaultConcurrency.daemon} at most, fewer on a slow one; ${defaultConcurrency.embedded} on the embedded engine)`,
      wholeNumber(1, 256),
    );
}

/** The options of commands that write the reports of a run. */
function reporting(command: Command, name: ReportingCommand): Command {
  command
    .optionsGroup(groups.reports)
    .option(
      '--report <dir>',
      'directory for index.html, report.json, junit.xml, summary.md and badge.svg',
      'conformance-report',
    );
  for (const { option, says } of reportersOf(name)) command.option(option, says);
  return command
    .addOption(formats(['text', 'json', 'ndjson']))
    .option('--quiet', 'print only what failed and how the run ended');
}

function targeting(command: Command): Command {
  return command
    .optionsGroup(groups.target)
    .addOption(
      new Option('--target <address>', 'unix:///path, tcp://host:port, http://… or https://…').env('ENGINE_HOST'),
    )
    .option('--tls-ca <file>', 'CA certificates to check the target and the token server with (PEM)')
    .option('--tls-cert <file>', 'client certificate (PEM)')
    .option('--tls-key <file>', 'key of the client certificate (PEM)');
}

/** The options that name a token server to judge. */
function tokensFrom(command: Command): Command {
  return authorizing(
    command
      .optionsGroup(groups.tokens)
      .option(
        '--auth-url <url>',
        'token server to judge (/token is appended); without --target, only its rules are judged',
      )
      .option('--token-url <url>', 'the same, with the full address of the token endpoint')
      .addOption(
        new Option('--auth-refresh-token <token>', 'refresh token of the user, if the server gives none').env(
          'ENGINE_AUTH_REFRESH_TOKEN',
        ),
      ),
  );
}

/** Who may get tokens for what. */
function authorizing(command: Command): Command {
  return command
    .option('--auth-user <name>', 'user who may get tokens')
    .addOption(new Option('--auth-password <password>', 'password of the user').env('ENGINE_AUTH_PASSWORD'))
    .option('--auth-service <name>', 'service to ask tokens for')
    .option(
      '--auth-scope <scopes>',
      "what the user may do: 'repository:<name>:pull,push'; separate several with spaces",
    );
}

/** The options of commands that choose rules of a target. */
function selecting(
  command: Command,
  byDefault = `those of ${documented} that the target serves, or else newest`,
): Command {
  return only(
    command
      .optionsGroup(groups.selection)
      .option(
        '--api <versions>',
        `API versions separated by commas, newest, or served (default: ${byDefault})`,
        parseApiWishes,
      ),
  );
}

/** The options of commands that choose rules without a target. */
function selectingOfContract(command: Command): Command {
  return only(
    command
      .optionsGroup(groups.selection)
      .option('--api <versions>', 'API versions, separated by commas (default: all)', parseApis),
  );
}

function only(command: Command): Command {
  return command
    .option(
      '--only <pattern>',
      "rules by id or by endpoint ('POST /containers/{id}/stop'), with * for any characters; may be repeated",
      collect,
    )
    .option('--skip <pattern>', 'rules to leave out, by the same patterns; may be repeated', collect)
    .option('--area <name>', 'only rules of this area (containers, images, …); may be repeated', collect)
    .option('--level <level>', 'only rules of this level: must, should or observe; may be repeated', levels);
}

function exchanging(command: Command): Command {
  return command
    .optionsGroup(groups.target)
    .option('--dialect <name>', 'how the target writes brand words: auto, engine, docker, or a file of words', 'auto')
    .addOption(timeout());
}

function timeout(): Option {
  return new Option(
    '--timeout <seconds>',
    'time limit of one exchange; preparing and cleaning the target may take twice as long',
  )
    .argParser(seconds)
    .default(defaultTimeoutMs, '30');
}

function failOn(says: string): Option {
  return new Option('--fail-on <level>', says).choices(['must', 'should']).default('must');
}

function formats(choices: readonly string[]): Option {
  return new Option('--format <format>', 'what to print on standard output').choices(choices).default('text');
}

/** Commander's message and its suggestion, which are lines of their own, as one that says where to look further. */
function oneLine(message: string): string {
  return `${message.trim().replaceAll('\n', ' ')}; see --help\n`;
}
