import { applyInstructions } from '../images/changes.ts';

/** One instruction of a build file. */
export interface Instruction {
  /** In capitals. */
  readonly word: string;
  /** What follows the word, lines joined. */
  readonly rest: string;
  /** Where it begins in the file, from 1. */
  readonly line: number;
}

/** The build file has something that is not an instruction, or an instruction in the wrong form. */
export class BuildFileError extends Error {}

/** Instructions whose only effect is on the configuration of the image. */
export const configuring: ReadonlySet<string> = new Set([
  'CMD',
  'ENTRYPOINT',
  'ENV',
  'EXPOSE',
  'LABEL',
  'ONBUILD',
  'STOPSIGNAL',
  'USER',
  'VOLUME',
  'WORKDIR',
]);

const others = new Set(['ADD', 'ARG', 'COPY', 'FROM', 'MAINTAINER', 'RUN']);

/**
 * Reads a whole build file before any of it is run (Document 3, Build an image).
 * @throws BuildFileError for wrong syntax
 */
export function parseBuildFile(text: string): Instruction[] {
  const instructions = logicalLines(text).map(({ line, text: whole }) => {
    const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(whole) ?? [];
    const instruction = { word: word.toUpperCase(), rest, line };
    check(instruction);
    return instruction;
  });
  const first = instructions.find(({ word }) => word !== 'ARG');
  if (!first) throw new BuildFileError('the build file has no instructions');
  if (first.word !== 'FROM') throw wrong(first, 'the first instruction has to be FROM');
  const again = instructions.find((one) => one.word === 'FROM' && one !== first);
  if (again) throw wrong(again, 'there can be only one FROM');
  return instructions;
}

function logicalLines(text: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  const joiner = /^#\s*escape\s*=\s*`/i.test(text) ? '`' : '\\';
  let open: { line: number; text: string } | undefined;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const trimmed = raw.trim();
    // Comments and empty lines may stand within an instruction too.
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const goesOn = trimmed.endsWith(joiner);
    const part = goesOn ? raw.trimEnd().slice(0, -1) : raw.trimEnd();
    open = open ? { ...open, text: open.text + part } : { line: index + 1, text: part.trimStart() };
    if (goesOn) continue;
    found.push(open);
    open = undefined;
  }
  if (open) found.push(open);
  return found.map(({ line, text: whole }) => ({ line, text: whole.trim() }));
}

function check(instruction: Instruction): void {
  const { word, rest } = instruction;
  if (!configuring.has(word) && !others.has(word)) throw wrong(instruction, `unknown instruction: ${word}`);
  if (rest === '') throw wrong(instruction, `${word} needs an argument`);
  if (word === 'FROM' && /\s/.test(rest)) throw wrong(instruction, 'FROM takes one argument');
  if (word === 'ARG' && !/^\w+(=.*)?$/s.test(rest)) throw wrong(instruction, 'ARG takes one name');
  if ((word === 'ADD' || word === 'COPY') && wordsOf(rest).length < 2)
    throw wrong(instruction, `${word} needs a source and a destination`);
  if (word === 'ONBUILD') checkTrigger(instruction);
  if (configuring.has(word)) {
    try {
      applyInstructions({}, `${word} ${rest}`);
    } catch (error) {
      throw wrong(instruction, error instanceof Error ? error.message : String(error));
    }
  }
}

function checkTrigger(instruction: Instruction): void {
  const [trigger = ''] = instruction.rest.split(/\s/, 1);
  if (['FROM', 'MAINTAINER', 'ONBUILD'].includes(trigger.toUpperCase()))
    throw wrong(instruction, `${trigger} cannot wait for another build`);
}

function wrong({ line }: Instruction, why: string): BuildFileError {
  return new BuildFileError(`build file, line ${line}: ${why}`);
}

/** The JSON form of an instruction's arguments; undefined for any other form. */
export function jsonWords(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The paths of ADD and COPY, in JSON, or separated by white space. */
export function wordsOf(text: string): string[] {
  return jsonWords(text) ?? text.split(/\s+/).filter((word) => word !== '');
}
