import { Command, Option } from 'commander';
import { documentedVersions, newestVersion } from '../specs/versions.ts';
import { defaultConcurrency } from './default-concurrency.ts';
import { collect, levels, parseApis, parseApiWishes, seconds, shard, wholeNumber } from './option-values.ts';
import { thisTool } from './tool.ts';

const documented = documentedVersions.join(',');
const defaultTimeoutMs = 30_000;
const largestSeed = 2 ** 31 - 1;

/** The headings of options in the help. */
const groups = {
  target: 'The target:',
  tokens: 'A token server:',
  selection: 'What is judged:',
  judging: 'How it is judged:',
  verdicts: 'What counts:',
  reports: 'Reports and output:',
  settings: 'Settings of a project:',
} as const;

const exitStatuses = `
Exit status:
  0    nothing fails beyond the baseline
  1    a deviation, or a baseline entry that no longer holds
  2    wrong usage
  3    the target could not be reached, or died
  4    nothing conclusive ran
  5    the kit itself failed
  130  ended by Ctrl-C (143 by SIGTERM, 129 by SIGHUP), after what was made is removed
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

  reporting(judging(command('run', 'run the checks against a target (default: the embedded reference engine)')))
    .addHelpText('after', exitStatuses)
    .optionsGroup(groups.selection)
    .option('--rerun-failed <report>', 'only what failed or was blocked in this report')
    .option('--shard <i/n>', 'only the i-th of n parts of the rules; merge joins the reports', shard)
    .optionsGroup(groups.verdicts)
    .option('--baseline <file>', 'YAML list of known deviations, which are waived')
    .option('--update-baseline', 'write the deviations of this run to the baseline, and take out what no longer holds')
    .addOption(failOn('lightest deviation that counts'))
    .optionsGroup(groups.judging)
    .option('--hostile', 'also send requests that no client should send; only to a daemon that may break')
    .optionsGroup(groups.settings)
    .option(
      '--config <file>',
      'YAML file of settings, each an option by its name; what the command line says wins (default: engine-conformance.yaml, where there is one)',
    )
    .optionsGroup(groups.reports)
    .option('--all-exchanges', 'keep every exchange in report.json, not only those that a verdict rests on')
    .optionsGroup(groups.judging)
    .option('--wait-restart', 'when the target dies, wait up to two minutes for it to come back, and go on')
    .option('--watch', 'stay, and run the rules again whenever the target comes back; Ctrl-C ends')
    .option('--confirm <n>', 'run what failed n times again, alone and in order', wholeNumber(1, 100))
    .addOption(
      new Option('--bail [n]', 'end the run once n verdicts are not kept (without n: one); what is known is reported')
        .preset('1')
        .argParser(wholeNumber(1, 1_000_000)),
    )
    .action(async (_flags, run: Command) => {
      await (await import('./config/use-config.ts')).useConfig(run);
      ended(await (await import('./commands/run.ts')).runCommand(run.opts()));
    });

  selectingOfContract(command('list', 'list the rules'), 'all')
    .option('--untested', 'only rules that no check decides')
    .addOption(formats(['text', 'json']))
    .action(async (flags) => ended((await import('./commands/list.ts')).listCommand(flags)));

  command('explain', 'print all that is known of a rule, with answers that keep it and that do not')
    .argument('<rule>', 'id of the rule; or a pattern as for --only, of which each rule is told without answers')
    .addOption(formats(['text', 'json']))
    .option('--no-example', 'leave out the answers, for which the check is run on the embedded engine')
    .action(async (rule: string, flags) =>
      ended(await (await import('./commands/explain.ts')).explainCommand(rule, flags)),
    );

  command('contract', 'write the contract for other tools, or print what differs between two versions')
    .option('--api <versions>', `API versions, separated by commas (default: ${documented})`, parseApis)
    .addOption(
      new Option('--format <format>', 'what is written').choices([
        'openapi',
        'json-schema',
        'rules',
        'markdown',
        'html',
      ]),
    )
    .option('--out <dir>', 'directory that is written to')
    .option('--diff <versions...>', 'two versions to compare')
    .option('--figures', 'print how large the contract is')
    .action(async (flags) => ended((await import('./commands/contract.ts')).contractCommand(flags)));

  reporting(command('merge', 'join the reports of the shards of a run'))
    .argument('<reports...>', 'report.json of each shard, or its directory')
    .action(async (reports: string[], flags) =>
      ended(await (await import('./commands/merge.ts')).mergeCommand(reports, flags)),
    );

  command('compare', 'hold reports against each other: several engines, releases or dates in one matrix')
    .argument(
      '<reports...>',
      'report.json of each, or its directory, or a folder of such directories, or NAME=FILE; each is held against the first of its engine',
    )
    .option('--out <dir>', 'directory for comparison.html, comparison.md and comparison.json')
    .option(
      '--site <dir>',
      'directory for a static site: the comparison, trends over releases, the contract, and a page and badge of each report',
    )
    .addOption(failOn('lightest deviation that counts as a regression'))
    .addOption(new Option('--format <format>', 'what is printed').choices(['markdown', 'json']).default('markdown'))
    .action(async (reports: string[], flags) =>
      ended(await (await import('./commands/compare.ts')).compareCommand(reports, flags)),
    );

  command('repro', 'print a shell script that shows a failure again: it exits with 1 while the deviation is there')
    .argument('<rule>', 'id of the rule')
    .requiredOption('--report <report>', 'report.json of the run, or the directory that it is in')
    .option('--api <version>', 'the API version (default: the newest in which the rule failed)')
    .option(
      '--markdown',
      'print an issue that is ready to paste instead: what was expected and what came, with the script',
    )
    .action(async (rule: string, flags) =>
      ended(await (await import('./commands/repro.ts')).reproCommand(rule, flags)),
    );

  command('verify', 'say whether a report is whole and as the run wrote it')
    .argument('<report>', 'report.json, or the directory that it is in')
    .action(async (report: string) => ended(await (await import('./commands/verify.ts')).verifyCommand(report)));

  authorizing(command('serve', 'serve the reference engine, the reference token server, or both until Ctrl-C'))
    .option('--listen <address>', 'where the engine listens: unix:///path/to/socket or tcp://host:port')
    .option('--token <address>', 'where the token server listens: tcp://host:port')
    .addOption(new Option('--dialect <name>', 'brand words to speak').choices(['engine', 'docker']).default('engine'))
    .option(
      '--api <versions>',
      `API versions to serve, separated by commas (default: ${documented}); newest: ${newestVersion}`,
      parseApis,
    )
    .option('--cors-origin <origin>', 'origin that browsers may call from, or * (api-cors-header; default: none)')
    .option(
      '--fault <rule>',
      'rule that the engine breaks on purpose, by the first fault of its check (RULE#2: the second); may be repeated',
      collect,
    )
    .option('--tls-cert <file>', 'certificate of the engine (PEM); with --tls-key it serves TLS')
    .option('--tls-key <file>', 'key of the certificate (PEM)')
    .option('--tls-ca <file>', 'CA certificates (PEM); clients then need a certificate that one of them signed')
    .action(async (flags) => ended(await (await import('./commands/serve.ts')).serveCommand(flags)));

  const proxy = command('proxy', 'pass the traffic of any client to a daemon untouched, and judge it, until Ctrl-C')
    .requiredOption('--upstream <address>', 'the daemon: unix:///path/to/socket or tcp://host:port')
    .requiredOption('--listen <address>', 'where clients connect: unix:///path/to/socket or tcp://host:port');
  reporting(exchanging(selectingOfContract(proxy, documented)))
    .option('--baseline <file>', 'YAML list of known deviations, which are waived')
    .addOption(failOn('lightest deviation of the daemon that counts'))
    .option('--fail-on-client', 'a deviation of a client counts as well')
    .option('--har <file>', 'HTTP archive (HAR 1.2) of every exchange, for other tools')
    .action(async (flags) => ended(await (await import('./commands/proxy.ts')).proxyCommand(flags)));

  exchanging(
    selecting(tokensFrom(targeting(command('doctor', 'say what a target can do, and what would be skipped and why')))),
  )
    .option('--image <name>', 'image of the probe that is on the target already')
    .action(async (flags) => ended(await (await import('./commands/doctor.ts')).doctorCommand(flags)));

  targeting(command('clean', 'remove what interrupted runs left on a target'))
    .addOption(timeout())
    .action(async (flags) => ended(await (await import('./commands/clean.ts')).cleanCommand(flags)));

  judging(
    command('prove', 'run every check under its faults, where it has to fail, and under latitudes, where it must not'),
  )
    .option('--matrix <file>', 'JSON file for every trial, and which other rules of its endpoint each fault reddens')
    .option('--faults', 'try faults alone')
    .option('--latitudes', 'try latitudes alone')
    .option('--latitude <name>', 'try this latitude alone; may be repeated', collect)
    .action(async (flags) => ended(await (await import('./commands/prove.ts')).proveCommand(flags)));

  return program;
}

/** The options of commands that run checks. */
function judging(command: Command): Command {
  return exchanging(selecting(tokensFrom(targeting(command))))
    .optionsGroup(groups.target)
    .option('--image <name>', 'image of the probe that is on the target already')
    .option('--cors-origin <origin>', 'what the daemon was started with as its api-cors-header')
    .optionsGroup(groups.judging)
    .option(
      '--seed <n>',
      'seed of everything random (default: a new one, which is printed)',
      wholeNumber(0, largestSeed),
    )
    .option('--runs <n>', 'runs of each generated test (default: its own number)', wholeNumber(1, 1_000_000))
    .addOption(
      new Option(
        '--max-time <s>',
        'seconds that a generated test may take in one version (default: 10; none with --runs)',
      ).argParser(seconds),
    )
    .option(
      '--concurrency <n>',
      `checks that run at the same time (default: ${defaultConcurrency.daemon} on a daemon, ${defaultConcurrency.embedded} on the embedded engine)`,
      wholeNumber(1, 256),
    );
}

/** The options of commands that write the reports of a run. */
function reporting(command: Command): Command {
  return command
    .optionsGroup(groups.reports)
    .option(
      '--report <dir>',
      'directory for index.html, report.json, junit.xml, summary.md and badge.svg',
      'conformance-report',
    )
    .option('--allure <dir>', 'directory for results that Allure makes a report of')
    .addOption(formats(['text', 'json', 'ndjson']))
    .option('--quiet', 'print only what failed, and what the run ends with');
}

function targeting(command: Command): Command {
  return command
    .optionsGroup(groups.target)
    .addOption(
      new Option('--target <address>', 'unix:///path, tcp://host:port, http://… or https://…').env('ENGINE_HOST'),
    )
    .option('--tls-ca <file>', 'CA certificates that the target and the token server are checked with (PEM)')
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
        'token server to judge, to which /token is appended; alone: only its rules are judged',
      )
      .option('--token-url <url>', 'the same with the full address of the token endpoint')
      .addOption(
        new Option('--auth-refresh-token <token>', 'refresh token of the user, where the server gives none').env(
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
    .option('--auth-service <name>', 'service that tokens are asked for')
    .option(
      '--auth-scope <scopes>',
      "what the user may do: 'repository:<name>:pull,push', several with spaces between",
    );
}

/** The options of commands that choose rules of a target. */
function selecting(command: Command): Command {
  return only(
    command
      .optionsGroup(groups.selection)
      .option(
        '--api <versions>',
        `API versions, separated by commas, newest or served (default: what the target serves of ${documented}; else newest)`,
        parseApiWishes,
      ),
  );
}

/** The options of commands that choose rules without a target. */
function selectingOfContract(command: Command, byDefault: string): Command {
  return only(
    command
      .optionsGroup(groups.selection)
      .option('--api <versions>', `API versions, separated by commas (default: ${byDefault})`, parseApis),
  );
}

function only(command: Command): Command {
  return command
    .option(
      '--only <pattern>',
      "rules by their ids, or by their endpoint ('POST /containers/{id}/stop'), with * for any characters; may be repeated",
      collect,
    )
    .option('--skip <pattern>', 'rules that are left out, by the same patterns; may be repeated', collect)
    .option('--area <name>', 'only rules of this area (containers, images, …); may be repeated', collect)
    .option('--level <level>', 'only rules of this level: must, should or observe; may be repeated', levels);
}

function exchanging(command: Command): Command {
  return command
    .optionsGroup(groups.target)
    .option('--dialect <name>', 'brand words of the target: auto, engine, docker or a file of words', 'auto')
    .addOption(timeout());
}

function timeout(): Option {
  return new Option(
    '--timeout <seconds>',
    'bound of one exchange; what makes a target ready, or clean, has twice as long',
  )
    .argParser(seconds)
    .default(defaultTimeoutMs, '30');
}

function failOn(says: string): Option {
  return new Option('--fail-on <level>', says).choices(['must', 'should']).default('must');
}

function formats(choices: readonly string[]): Option {
  return new Option('--format <format>', 'what is printed on standard output').choices(choices).default('text');
}

/** Commander's message and its suggestion, which are lines of their own, as one that says where to look further. */
function oneLine(message: string): string {
  return `${message.trim().replaceAll('\n', ' ')}; see --help\n`;
}
