import { buildProgram } from '../../cli/program.ts';
import { everyToken, type Page } from './pages.ts';

/** The command lines of a page: those of its blocks of shell commands, and those of the program inside its text. */
export function commandLines({ tokens }: Page): string[] {
  return everyToken(tokens).flatMap((token) => {
    if (token.type === 'code' && token.lang === 'sh') return token.text.replaceAll(/\\\n\s*/g, ' ').split('\n');
    if (token.type === 'codespan' && /^(engine-conformance|npm run|node scripts)\b/.test(token.text))
      return [token.text];
    return [];
  });
}

/** The words of each command of a line, without variables that are set for it, comments and where its output goes. */
export function commandsOf(line: string): string[][] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word.startsWith('#')) break;
    if (/^(\||&&|\|\||&|;)$/.test(word)) commands.push([]);
    else if (!(commands.at(-1)?.length === 0 && /^\w+=/.test(word)))
      commands.at(-1)?.push(word.replaceAll(/['"]/g, ''));
  }
  return commands.filter((command) => command.length > 0);
}

/** What follows the name of the program, where a command runs it; the names under which it can be run are many. */
export function argumentsOfProgram(command: readonly string[]): readonly string[] | undefined {
  const text = command.join(' ');
  const name = /^(npx (--yes )?(--package=\$ENGINE_CONFORMANCE )?)?engine-conformance$|^node dist\/cli\/main\.js$/;
  for (let words = 1; words <= 4; words++) {
    if (name.test(command.slice(0, words).join(' '))) return command.slice(words);
  }
  const script = /^npm (start|run prove) -- /.exec(text)?.[1];
  if (script === undefined) return undefined;
  return [script === 'start' ? 'run' : 'prove', ...command.slice(command.indexOf('--') + 1)];
}

/**
 * What the program would find wrong in a command line, by its own definitions of commands and options; undefined where it
 * would take it. An ellipsis stands for what the reader has to fill in.
 */
export function wrongUsage(args: readonly string[]): string | undefined {
  const program = buildProgram(() => {});
  // A sentence may name a command without saying how it is used.
  if (args.length === 1 && program.commands.some((command) => command.name() === args[0])) return undefined;
  const given = args.filter((word, place) => word !== '…' || args[place - 1]?.startsWith('--'));
  for (const command of program.commands) {
    command.action(() => {}).configureOutput({ writeErr: () => {}, writeOut: () => {} });
  }
  try {
    program.parse(given, { from: 'user' });
    return undefined;
  } catch (error) {
    return String(error);
  }
}
